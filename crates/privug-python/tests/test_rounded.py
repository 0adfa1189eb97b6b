"""What functions round or show in texts: judged as if it were published as it was before, and used for nothing else."""

from __future__ import annotations

import pathlib
from typing import Any, List

import pytest

import live_corpus
import privug

PUBLISHED = [
    "round(sum(x) / len(x), 2)",
    "round(sum(x) / len(x), 2) * 2 + 1",
    "[round(sum(x) / len(x), -1)]",
    "f'{sum(x) / len(x):.1f}'",
    "f'mean: {sum(x) / len(x):.1f} euros'",
    "{'mean': round(sum(x) / len(x), 1), 'n': len(x)}",
]

LIVE = [
    "'mean: %.1f' % (sum(x) / len(x))",
    "'mean: {:.1f}'.format(sum(x) / len(x))",
    "', '.join(['mean', f'{sum(x) / len(x):.1f}'])",
    "'mean ' + str(round(sum(x) / len(x), 1))",
    "format(sum(x) / len(x), '.2f')",
    "float(sum(x) / len(x))",
    "f'{f\"{sum(x) / len(x):.1f}\":>12}'",
    "f'{sum(x) / len(x):.1f} of {round(2 * sum(x), 1)}'",
]

MISUSED = [
    ("x[0] - round(x[0], 1)", "P306"),
    ("round(x[0], 1) + round(x[1], 1)", "P306"),
    ("sum([round(v) for v in x])", "P306"),
    ("f'{x[0]:.1f}' == '50.0'", "P3"),
    ("len(f'{x[0]:.1f}')", ""),
    ("f'{x[0]:d}'", ""),
    ("{f'{x[0]:.1f}': 1}", ""),
]


def module(folder: pathlib.Path, expression: str) -> pathlib.Path:
    path = folder / "program.py"
    path.write_text(f"def f(x):\n    return {expression}\n")
    return path


def both(path: pathlib.Path) -> List[Any]:
    return [live_corpus.load(path).f, str(path)]


OPTIONS: Any = dict(x=privug.Normal(50, std=10, size=4), secret="x[0]")


def bits(program: Any, **options: Any) -> float:
    found = privug.analyze(program, **OPTIONS, **options)
    assert any("judged as if published unrounded" in str(note) for note in found.to_dict()["notes"])
    return float(found.to_dict()["leakage"][0]["mutual_information_bits"])


def unrounded() -> float:
    found = privug.analyze(lambda x: sum(x) / len(x), **OPTIONS)
    return float(found.to_dict()["leakage"][0]["mutual_information_bits"])


@pytest.mark.parametrize("expression", PUBLISHED)
def test_a_rounded_output_tells_what_it_tells_unrounded(expression: str, tmp_path: pathlib.Path) -> None:
    for program in both(module(tmp_path, expression)):
        assert bits(program, require="mutual_information_bits <= 1") == pytest.approx(unrounded(), rel=1e-12)


@pytest.mark.parametrize("expression", LIVE)
def test_texts_of_all_kinds_publish_what_they_show(expression: str, tmp_path: pathlib.Path) -> None:
    found = privug.analyze(live_corpus.load(module(tmp_path, expression)).f, **OPTIONS)
    told = float(found.to_dict()["leakage"][0]["mutual_information_bits"])
    assert told == pytest.approx(unrounded(), rel=1e-12)


@pytest.mark.parametrize("expression, code", MISUSED)
def test_nothing_is_computed_with_rounded_values_and_nobody_looks_at_texts(expression: str, code: str, tmp_path: pathlib.Path) -> None:
    for program in both(module(tmp_path, expression)):
        with pytest.raises(Exception) as caught:
            privug.analyze(program, **OPTIONS)
        assert code in str(caught.value) and "P" in str(caught.value)


def test_a_rounded_output_is_not_observed_and_is_no_secret(tmp_path: pathlib.Path) -> None:
    for program in both(module(tmp_path, "round(sum(x) / len(x), 1)")):
        for options in (dict(OPTIONS, observe=50.0), dict(OPTIONS, observe="50±0.1"), dict(x=OPTIONS["x"])):
            with pytest.raises(Exception, match="P306"):
                privug.analyze(program, **options)


def test_rounding_that_depends_on_a_choice_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("def f(x, coin):\n    return round(x, 1) if coin else x\n")
    for program in both(path):
        with pytest.raises(Exception, match="P306"):
            privug.analyze(program, x=privug.Normal(50, std=10), coin=privug.Bernoulli(0.5), secret="coin")


def test_functions_of_the_same_file_make_texts_too_and_are_left_as_they_were(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "def shown(value):\n    return f'{value:.1f}'\n\n\n"
        "class Report:\n    def text(self, x):\n        return ', '.join(shown(v) for v in [sum(x) / len(x)])\n\n\n"
        "def f(x):\n    return Report().text(x)\n"
    )
    program = live_corpus.load(path)
    before = program.shown.__code__
    assert bits(program.f) == pytest.approx(unrounded(), rel=1e-12)
    assert program.shown.__code__ is before and program.f([1.0, 2.0]) == "1.5"
