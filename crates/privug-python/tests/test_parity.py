"""The command line, source analysis and live functions give the same numbers."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
from conftest import IS_THOROUGH, PROGRAMS, ROOT, differences, header_runs, options_of, run_command

import privug

RUNS = [
    pytest.param(path, arguments, id=f"{path.relative_to(PROGRAMS)} {' '.join(arguments)}".strip())
    for path in sorted(PROGRAMS.rglob("*.py"))
    # Those of audits read tables; see test_tables.py.
    # Programs with choices are not run live; see test_choices.py.
    if path.parent.name not in ("audit", "choices")
    for arguments in header_runs(path)
]


def load(path: Path) -> Any:
    """A program as a module that CPython runs."""
    specification = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def entry(module: Any) -> Callable[..., Any]:
    functions = [
        value for value in vars(module).values() if callable(value) and getattr(value, "__module__", "") == module.__name__
    ]
    return functions[0] if len(functions) == 1 else module.main


def test_there_are_programs() -> None:
    assert len(RUNS) > 10


@pytest.mark.parametrize("exact", [False, True], ids=["float", "exact"])
@pytest.mark.parametrize("path, arguments", RUNS)
def test_every_program_gives_the_same_document_through_every_way(path: Path, arguments: List[str], exact: bool) -> None:
    arguments = arguments + ["--exact"] * (exact and "--exact" not in arguments)
    code, expected = run_command("analyze", str(path), *arguments)
    assert code in (0, 3)
    options = options_of(arguments)
    assert privug.analyze(str(path), **options).to_dict() == expected
    live = privug.analyze(entry(load(path)), **options).to_dict()
    assert not list(differences(expected, live))


class Generator:
    """Random programs in the paper's style."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self) -> str:
        return self.random.choice(["2", "3", "0.5", "-1", "7", "0.25", "10", "1.5", "0.1", "-0.3"])

    def affine(self, names: List[str]) -> str:
        kind = self.random.randrange(7)
        a, b = self.random.choice(names), self.random.choice(names)
        if kind == 0:
            return f"{a} + {self.number()}"
        if kind == 1:
            return f"{a} * {self.number()} - {b}"
        if kind == 2:
            return f"({a} + {b}) / {self.random.choice(['2', '3', '4', '0.7'])}"
        if kind == 3:
            return f"sum([{', '.join(self.random.choices(names, k=3))}])"
        if kind == 4:
            return f"-{a} + {self.number()} * {b}"
        if kind == 5:
            chosen = self.random.choices(names, k=4)
            return f"np.dot(np.array([1, 2, 0.5, -1]), np.array([{', '.join(chosen)}]))"
        return f"np.mean([{', '.join(self.random.choices(names, k=4))}])"

    def program(self) -> str:
        lines = ["import numpy as np", "from privug import Normal, MultivariateNormal, condition, observe", "", ""]
        lines.append("def program():")
        names: List[str] = []
        for index in range(self.random.randint(2, 6)):
            mean = self.affine(names) if names and self.random.random() < 0.3 else self.random.randint(-50, 50)
            spread = self.random.choice(["4", "0.25", "std=3", "std=0.1", "variance=12.5", "sigma=2"])
            lines.append(f"    x{index} = Normal({mean}, {spread})")
            names.append(f"x{index}")
        if self.random.random() < 0.3:
            lines.append("    m0, m1 = MultivariateNormal([1, 2], [[4, 1.5], [1.5, 9]])")
            names += ["m0", "m1"]
        if self.random.random() < 0.4:
            lines.append(f"    group = Normal({self.number()}, 4, size={self.random.randint(2, 9)})")
            lines.append("    average = sum(group) / len(group)")
            names += ["average", "group[0]", "group[-1]"]
        for index in range(self.random.randint(1, 6)):
            lines.append(f"    y{index} = {self.affine(names)}")
            names.append(f"y{index}")
            if self.random.random() < 0.5:
                value = self.random.randint(-60, 60)
                how = self.random.choice(["exactly", "std", "variance"])
                if how == "exactly":
                    lines.append(f"    condition({self.random.choice([names[-1], repr(names[-1])])}, {value})")
                else:
                    lines.append(f"    observe({names[-1]}, {value}, {how}={self.random.choice(['0.5', '2', '0.1'])})")
        secrets = self.random.sample(names, k=min(len(names), self.random.randint(1, 4)))
        lines.append(f"    return {', '.join(secrets)}")
        return "\n".join(lines) + "\n"


def alike(diagnostics: Any) -> Any:
    """Diagnostics without how options are spelt, in which Python differs from the command line."""
    return [{key: value for key, value in each.items() if key != "hint" and not (key == "path" and not value.endswith(".py"))}
            for each in diagnostics]  # fmt: skip


@pytest.mark.parametrize("seed", range(300 if IS_THOROUGH else 120))
def test_random_programs_give_the_same_document_through_every_way(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"program_{seed}.py"
    path.write_text(Generator(seed).program())
    code, expected = run_command("analyze", str(path))
    if code != 0:
        # Observations may contradict each other; then every way says so.
        with pytest.raises(privug.ProgramError) as source:
            privug.analyze(path)
        assert alike(source.value.diagnostics) == alike(expected["diagnostics"])
        with pytest.raises((privug.ProgramError, privug.NotGaussianError)) as live:
            privug.analyze(load(path).program)
        codes = [diagnostic["code"] for diagnostic in expected["diagnostics"]]
        assert any(found in str(live.value) for found in codes), str(live.value)
        return
    assert privug.analyze(path).to_dict() == expected
    found = list(differences(expected, privug.analyze(load(path).program).to_dict()))
    assert not found, path.read_text() + "\n".join(found)



def test_parameters_secrets_questions_and_requirements_are_the_same_live(tmp_path: Path) -> None:
    path = tmp_path / "release.py"
    path.write_text(
        "def release(people, scale):\n    total = scale * sum(people)\n    first = people[0] + people[1]\n"
        "    return {'total': total, 'first': first}\n"
    )
    arguments = [
        "--prior", "people=[Normal(40, 25) for _ in range(10)]", "--set", "scale=0.5", "--secret", "people[0]",
        "--secret", "people[1] - people[2]", "--observe", "return['total']=210±1", "--observe", "return['first']=83±1",
        "--query", "P(people[0] > total / 5)",
        "--query", "Corr(people[0], first)", "--truth", "people[0]=44", "--tolerance", "2", "--level", "0.9",
        "--require", "mutual_information_bits <= 1", "--require", "P(people[0] > 50) <= 0.2",
    ]  # fmt: skip
    code, expected = run_command("analyze", str(path), *arguments)
    assert code in (0, 3)
    given = options_of(arguments)
    assert privug.analyze(path, **given).to_dict() == expected
    live = privug.analyze(load(path).release, **given)
    assert not list(differences(expected, live.to_dict()))
    priors = {"people": privug.Normal(40, 25, size=10)}
    live = privug.analyze(load(path).release, **{**given, "prior": priors})
    assert not list(differences(expected, live.to_dict()))


REFUSED = sorted((ROOT / "crates" / "privug-cli" / "tests" / "refused").glob("*.py"))
# A dictionary cannot bind a name twice or bind nothing, observed texts of a set are quoted there, and a list of texts is one
# of values.
ONLY_ON_THE_COMMAND_LINE = ("P011", "P014", "P017", "P018")


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in REFUSED])
def test_what_is_refused_is_refused_with_the_same_diagnostics(path: Path) -> None:
    if path.name.startswith(ONLY_ON_THE_COMMAND_LINE):
        pytest.skip("these are mistakes in options that Python does not have")
    for arguments in header_runs(path):
        code, expected = run_command("analyze", str(path), *arguments)
        assert code == 1
        with pytest.raises(privug.ProgramError) as error:
            privug.analyze(path, **options_of(arguments))
        assert alike(error.value.diagnostics) == alike(expected["diagnostics"])
