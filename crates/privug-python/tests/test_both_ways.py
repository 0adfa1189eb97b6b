"""Scripts on a register and functions of columns, live and from source: everybody's weights and all figures are those of plain pandas.

The heads of the snippets say whether they are linear (`yes`; `live` if they are refused from source, with the code if it is told; `shown` if texts and
workbooks show their figures, which plain pandas does not give as numbers), or not (`no`, with the line that is to blame, counted from
the first line of the snippet). Of functions also `doubtful`: linear, with weights whose last digits decide what follows from what (P504).
"""

from __future__ import annotations

import inspect
import math
import warnings
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import live_corpus
import privug
from live_corpus import agrees, columns, snippets, weights
from privug._live_audit import Run, Tables
from privug._live_paired import Paired
from privug._live_script import ScriptRun
from test_source_people import among, audited, computed, tables as register
from test_source_scripts import HEAD, analysed

warnings.simplefilter("ignore")
pytest.importorskip("scipy")
pytest.importorskip("statsmodels")
pytest.importorskip("sklearn")
pytest.importorskip("jinja2")

SCRIPTS = [pytest.param(*head, text, id=head[0]) for file in ("both_people.txt", "both_offices.txt") for head, text in snippets(file)]
FUNCTIONS = [pytest.param(*head, text, id=head[0]) for file in ("both_functions.txt", "both_analysts.txt") for head, text in snippets(file)]


def blamed(kind: str) -> int:
    """The line of a script that is to blame."""
    return len(HEAD.splitlines()) + int(kind.split()[1])


def on_disk(seed: int, has_gaps: bool, folder: Path) -> Path:
    """A folder with the tables as files."""
    folder.mkdir()
    for name, frame in register(seed, has_gaps).items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a script or a function writes is not left in the repository."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("has_gaps", [False, True], ids=["whole", "gaps"])
@pytest.mark.parametrize("name, kind, text", SCRIPTS)
def test_a_script_has_the_weights_of_plain_pandas_live(
    has_gaps: bool, name: str, kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas as pd

    folder = on_disk(1, has_gaps, tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["script.py"])
    (tmp_path / "out").mkdir()
    used = [each for each in ("people", "pop", "muni", "cpi") if each == "people" or each in text]
    tables = Tables({each: pd.read_csv(folder / f"{each}.csv") for each in used}, ["people.income"])
    path = tmp_path / "script.py"
    path.write_text(HEAD + text)
    run = Run(live_corpus.load(path).release, tables) if "def release" in text else ScriptRun(str(path), HEAD + text, tables)
    if not kind.startswith("no"):
        assert agrees(run, tables).figures
        return
    with pytest.raises(privug.ProgramError) as caught:
        Paired(run, tables, run.on_secrets(), run.publish(tables.real()))
    found = caught.value.diagnostics[0]
    assert found["start"]["line"] == blamed(kind), found
    assert "income" in found["message"] and found["hint"], found


@pytest.mark.parametrize("has_gaps", [False, True], ids=["whole", "gaps"])
@pytest.mark.parametrize("name, kind, text", SCRIPTS)
def test_a_script_publishes_what_pandas_computes_from_source(has_gaps: bool, name: str, kind: str, text: str, tmp_path: Path) -> None:
    if kind == "live":
        pytest.skip("it is refused from source")
    if kind.startswith("live"):
        assert audited(text, on_disk(1, has_gaps, tmp_path / "tables"))["diagnostics"][0]["code"] == kind.split()[1]
        return
    ours: List[List[float]] = []
    theirs: List[List[float]] = []
    for seed in (1, 2):
        folder = on_disk(seed, has_gaps, tmp_path / str(seed))
        (folder / "out").mkdir()
        found = audited(text, folder)
        if kind.startswith("no"):
            told = found["diagnostics"][0]
            assert told["start"]["line"] == blamed(kind) and told["hint"], told
            continue
        assert "diagnostics" not in found, found.get("diagnostics")
        ours.append([figure["value"] for figure in found["figures"] if figure["value"] is not None])
        assert ours[-1]
        if kind == "yes":
            with pytest.MonkeyPatch.context() as patch:
                theirs.append(computed(text, folder, patch))
    if kind != "yes":
        return
    assert len(theirs[0]) == len(theirs[1])
    changing = [place for place, pair in enumerate(zip(*theirs)) if not math.isclose(*pair, rel_tol=1e-9)]
    assert changing
    for own, all_theirs in zip(ours, theirs):
        assert among(own, all_theirs), (own, all_theirs)
        assert among([all_theirs[place] for place in changing], own), (own, all_theirs)


def inputs_of(function: Any) -> Dict[str, Any]:
    """The public columns that a function takes."""
    table = columns()
    parameters = inspect.signature(function).parameters.values()
    return {each.name: table[each.name].to_numpy() for each in parameters if each.default is each.empty and each.name != "x"}


def loaded(name: str, text: str, folder: Path) -> Any:
    path = folder / f"{name}.py"
    path.write_text(text)
    return live_corpus.load(path).f


@pytest.mark.parametrize("name, kind, text", FUNCTIONS)
def test_a_function_has_the_weights_of_plain_numpy_live(name: str, kind: str, text: str, tmp_path: Path) -> None:
    tables = Tables({"people": columns()}, ["people.x"])
    run = Run(loaded(name, text, tmp_path), tables)
    if kind not in ("no", "doubtful"):
        assert agrees(run, tables).figures
        return
    with pytest.raises(privug.ProgramError) as caught:
        Paired(run, tables, run.on_secrets(), run.publish(tables.real()))
    found = caught.value.diagnostics[0]
    assert found["hint"] and (found["code"] == "P504") == (kind == "doubtful")


@pytest.mark.parametrize("name, kind, text", FUNCTIONS)
def test_a_function_tells_from_source_what_it_tells_live(name: str, kind: str, text: str, tmp_path: Path) -> None:
    if kind.startswith("live "):
        inputs = inputs_of(loaded(name, text, tmp_path))
        assert analysed(tmp_path / f"{name}.py", inputs)["diagnostics"][0]["code"] == kind.split()[1]
        return
    if kind != "yes":
        pytest.skip("it is refused from source, or analysed where there is a rule for it")
    function = loaded(name, text, tmp_path)
    inputs = inputs_of(function)
    found = analysed(tmp_path / f"{name}.py", inputs)
    assert found.get("leakage"), found.get("diagnostics")
    bits = found["leakage"][0]["mutual_information_bits"]
    tables = Tables({"people": columns()}, ["people.x"])
    expected = learned(weights(agrees(Run(function, tables), tables), tables), 3)
    assert bits == "inf" if expected == math.inf else math.isclose(float(bits), expected, rel_tol=1e-9)
    try:
        live = privug.analyze(function, prior={"x": privug.Normal(50, std=10, size=12), **inputs}, secret="x[3]").to_dict()
    except privug.ProgramError as error:
        # In doubles the last digits of the weights may decide what follows from what; from source they are exact.
        assert error.diagnostics[0]["code"] == "P504"
    else:
        told = live["leakage"][0]["mutual_information_bits"]
        assert bits == told or math.isclose(bits, told, rel_tol=1e-9)


def learned(matrix: np.ndarray, person: int) -> float:
    """What figures with these weights tell of one of people who are alike and independent, in bits: ½·log₂ of by how much less of
    the variance is left, which is the part of the person's axis that the rows do not span."""
    _, sizes, rows = np.linalg.svd(matrix, full_matrices=False)
    spanned = float((rows[sizes > 1e-9 * sizes.max(), person] ** 2).sum())
    return math.inf if spanned > 1 - 1e-12 else -0.5 * math.log2(1 - spanned)
