"""Scripts on a register of people with lookup tables, from source only: their figures are those of pandas, with and without gaps.

The heads of the snippets say whether they are audited (`yes`; `shown` if texts and workbooks show their figures) or not linear
(`no`, with the line that is to blame, counted from the first line of the snippet).
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pandas as pd
import pytest

from conftest import command_line
from live_corpus import snippets
from test_source_scripts import HEAD
from test_tables import figures

SCRIPTS = [pytest.param(*head, text, id=head[0]) for head, text in snippets("source_people.txt")]


def tables(seed: int, has_gaps: bool) -> Dict[str, pd.DataFrame]:
    """The tables; only the secrets depend on the seed."""
    public = np.random.default_rng(5)
    count = 90
    people = pd.DataFrame(
        {
            "id": range(1, count + 1), "sex": public.choice(["M", "F"], count), "region": public.choice(["N", "S", "E"], count),
            "mcode": public.choice([101, 102, 205, 301], count), "age": public.integers(16, 80, count),
            "hours": public.choice([20.0, 37.5, 40.0], count), "sector": public.choice(["agri", "trade", "health"], count),
            "weight": public.choice([0.5, 1.0, 2.25], count), "year": public.choice([2018, 2019, 2020, 2021], count),
            "month": public.integers(1, 13, count), "hh": public.integers(1, 40, count), "hhsize": public.integers(1, 6, count),
            "start": pd.to_datetime("2019-01-15") + pd.to_timedelta(public.integers(0, 1200, count), "D"),
            "nace": public.choice(["10A", "15B", "47C", "86D"], count), "bonus": public.integers(0, 100, count) * 10.0,
            "income": np.random.default_rng(seed).integers(80, 400, count) * 125.0,
        }
    )  # fmt: skip
    people["start"] = people["start"].dt.strftime("%Y-%m-%d")
    if has_gaps:
        for name in ("sector", "mcode", "age", "hours", "income"):
            people[name] = people[name].astype(object).where(public.random(count) > 0.08, None)
    cells = [(region, sex) for region in "NSE" for sex in "MF"]
    return {
        "people": people,
        "pop": pd.DataFrame([(*cell, 1000 + 37 * place) for place, cell in enumerate(cells)], columns=["region", "sex", "population"]),
        "muni": pd.DataFrame({"code": [101, 102, 205, 301], "county": ["Oslo", "Oslo", "Viken", "Troms"]}),
        "cpi": pd.DataFrame({"year": [2018, 2019, 2020, 2021], "cpi": [98.0, 100.0, 101.5, 104.25]}),
    }


def audited(text: str, folder: Path) -> Dict[str, Any]:
    script = folder / "script.py"
    script.write_text(HEAD + text)
    arguments = [str(command_line()), "audit", str(script), "--json", "--secret", "people.income", "--prior", "Normal(30000, std=8000)"]
    for name in ("people", "pop", "muni", "cpi"):
        if name == "people" or name in text:
            arguments += ["--table", f"{name}={folder / name}.csv"]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True).stdout)


def computed(text: str, folder: Path, patch: pytest.MonkeyPatch) -> List[float]:
    """What the script publishes under pandas: what it returns, or what it prints and writes."""
    shown: List[Tuple[str, Any]] = []
    real = pd.read_csv
    patch.chdir(folder)
    patch.setattr("sys.argv", ["script.py"])
    patch.setattr(pd, "read_csv", lambda path, **options: real(folder / Path(path).name, **options))
    for kind in (pd.DataFrame, pd.Series):
        patch.setattr(kind, "round", lambda self, *_: self)
        patch.setattr(kind, "to_string", lambda self, **_: self)
        patch.setattr(kind, "to_csv", lambda self, path, **_: shown.append((f"{len(shown)}", self)))
    scope: Dict[str, Any] = {"__name__": "__main__", "__file__": "script.py"}
    scope["print"] = lambda *values, **_: shown.extend((f"{len(shown)} {place}", value) for place, value in enumerate(values) if not isinstance(value, str))
    with contextlib.redirect_stdout(io.StringIO()):
        exec(HEAD + text, scope)  # noqa: S102 - the scripts are those of this repository
        if "def release" in text:
            names = re.search(r"def release\(([^)]*)\)", text).group(1)  # type: ignore[union-attr]
            given = {name.split(":")[0].strip(): name for name in names.split(",")}
            shown.append(("release", scope["release"](**{name: pd.read_csv(f"{name}.csv") for name in given})))
    return [value for name, each in shown for _, value in figures({name: each}) if not math.isnan(value)]


def among(values: List[float], others: List[float]) -> bool:
    """Whether each value is one of the others, as often as it occurs."""
    left = sorted(others)
    for value in sorted(values):
        place = next((at for at, other in enumerate(left) if math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)), None)
        if place is None:
            return False
        left.pop(place)
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, kind, text", SCRIPTS)
@pytest.mark.parametrize("has_gaps", [False, True], ids=["whole", "gaps"])
def test_a_script_publishes_what_pandas_computes(has_gaps: bool, name: str, kind: str, text: str, tmp_path: Path) -> None:
    ours: List[List[float]] = []
    theirs: List[List[float]] = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        for table, frame in tables(seed, has_gaps).items():
            frame.to_csv(folder / f"{table}.csv", index=False)
        found = audited(text, folder)
        if kind.startswith("no"):
            told = found["diagnostics"][0]
            assert told["start"]["line"] == len(HEAD.splitlines()) + int(kind.split()[1]) and told["hint"], told
            continue
        assert "diagnostics" not in found, found.get("diagnostics")
        ours.append([figure["value"] for figure in found["figures"] if figure["value"] is not None])
        assert ours[-1]
        if kind == "yes":
            with pytest.MonkeyPatch.context() as patch:
                theirs.append(computed(text, folder, patch))
    if kind != "yes":
        return
    # What depends on the secrets is a figure, and every figure is among what pandas shows.
    assert len(theirs[0]) == len(theirs[1])
    changing = [place for place, pair in enumerate(zip(*theirs)) if not math.isclose(*pair, rel_tol=1e-9)]
    assert changing
    for own, all_theirs in zip(ours, theirs):
        assert among(own, all_theirs), (own, all_theirs)
        assert among([all_theirs[place] for place in changing], own), (own, all_theirs)
