"""The real pandas on secret columns: figures, refusals, counts, scripts."""

from __future__ import annotations

import pathlib
import textwrap
import warnings
from typing import Any, List

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from privug._live_audit import Paired, Run, Tables

SNIPPETS = pathlib.Path(__file__).parent / "snippets"
warnings.simplefilter("ignore")


def lines(name: str) -> List[str]:
    return [line for line in (SNIPPETS / name).read_text().splitlines() if line and not line.startswith("#")]


def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "id": range(12),
            "rank": list("aabbbccaabcc"),
            "sex": list("mfmfmfmfmmff"),
            "w": np.arange(12) + 0.5,
            "y": [310.0, 20.0, 35.5, 470.0, 5.25, 90.0, 120.0, 333.0, 64.0, 18.0, 250.0, 77.0],
            "year": [2001, 2002] * 6,
        }
    )


def function(text: str) -> Any:
    other = pd.DataFrame({"rank": list("abc"), "pop": [10.0, 20.0, 30.0]})
    return eval(f"lambda df: {text}", {"pd": pd, "np": np, "other": other})


def weights(published: Paired, tables: Tables) -> np.ndarray:
    """Of each figure on each row."""
    forms = published.forms()
    rows = np.flatnonzero(~tables.gaps[0])
    found = np.zeros((len(published.figures), len(tables.gaps[0])))
    for figure in range(len(published.figures)):
        sources, each, divisor, _, _ = forms.terms(figure)
        found[figure, rows[sources]] = each / divisor
    return found


def agrees(run: Run, tables: Tables) -> Paired:
    """Runs it both ways, and compares the weights with finite differences of plain pandas."""
    real = run.publish(tables.real())
    published = Paired(run, tables, run.on_secrets(), real)
    names = {name for name, _, _ in published.figures}
    chosen = [place for place, cell in enumerate(real) if cell.name in names]
    differences = live_corpus.finite_differences(run.publish, tables.frames, tables.people, tables.columns[0])[chosen]
    found = weights(published, tables)
    known = ~np.isnan(differences)
    assert known.all(axis=1).any() or not len(found)
    np.testing.assert_allclose(found[known], differences[known], atol=1e-9)
    return published


@pytest.mark.parametrize("text", lines("live_pandas.txt"))
def test_pandas_computes_with_secret_columns_as_with_numbers(text: str) -> None:
    tables = Tables({"df": people()}, ["df.y"])
    run = Run(function(text), tables)
    agrees(run, tables)


@pytest.mark.parametrize("text", lines("live_pandas.txt"))
def test_gaps_in_the_secret_column_are_gaps_in_both_runs(text: str) -> None:
    frame = people()
    frame.loc[[2, 7], "y"] = np.nan
    tables = Tables({"df": frame}, ["df.y"])
    run = Run(function(text), tables)
    try:
        real = run.publish(tables.real())
    except Exception as error:
        pytest.skip(f"pandas: {error}")
    try:
        modelled = run.on_secrets()
    except privug.ProgramError:
        # numpy's sums of columns with gaps and the like may be refused, never wrong.
        return
    Paired(run, tables, modelled, real)


@pytest.mark.parametrize("text", lines("live_refused.txt"))
def test_what_is_not_linear_is_refused_where_it_is_done(text: str) -> None:
    tables = Tables({"df": people()}, ["df.y"])
    with pytest.raises(privug.ProgramError) as caught:
        Run(function(text), tables).on_secrets()
    assert "y" in str(caught.value) and caught.value.diagnostics[0]["code"].startswith("P")


def test_a_refusal_names_the_line_the_operation_and_the_column(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "release.py"
    path.write_text("def release(people):\n    total = people.y.sum()\n    spread = people.groupby('sex').y.std()\n    return spread\n")
    with pytest.raises(privug.ProgramError) as caught:
        privug.audit(live_corpus.load(path).release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    found = caught.value.diagnostics[0]
    assert (found["start"]["line"], found["code"]) == (3, "P306")
    assert "`std`" in found["message"] and "`y`" in found["message"] and found["hint"]


def test_an_error_that_is_caught_is_not_forgotten() -> None:
    def release(people: Any) -> Any:
        try:
            return 1.0 if people.y.sum() > 1000 else 0.0
        except Exception:
            return 0.0

    with pytest.raises(privug.ProgramError, match="P304"):
        privug.audit(release, people=people(), secret="y", prior="Normal(150, std=100)")


@pytest.mark.parametrize(
    "text",
    [
        "df.y.sum() + np.random.normal()",
        "df.y.sum() if type(df.y.sum()) is np.float64 else df.y.mean()",
        "df.select_dtypes('float64').sum()",
    ],
)
def test_a_function_that_tells_the_runs_apart_is_refused(text: str) -> None:
    with pytest.raises(privug.ProgramError, match="P808"):
        privug.audit(function(text), df=people(), secret="y", prior="Normal(150, std=100)")


def test_the_same_release_is_judged_alike_live_and_from_source() -> None:
    source = "def release(people):\n    return people.groupby(['rank', 'sex']).y.mean()\n"

    def release(people: Any) -> Any:
        return people.groupby(["rank", "sex"]).y.mean()

    options: Any = dict(people=people(), secret="people.y", prior="Normal(150, std=100)")
    live, read = privug.audit(release, **options), privug.audit(source, **options)
    columns = ["posterior_mean", "posterior_variance", "fully_disclosed", "verdict"]
    pd.testing.assert_frame_equal(live.people[columns], read.people[columns])
    assert list(live.figures["name"]) == list(read.figures["name"])
    assert (live.verdict, list(live.reasons["rule"])) == (read.verdict, list(read.reasons["rule"]))


def test_counts_have_the_people_behind_them() -> None:
    def release(people: Any) -> Any:
        return people.groupby("rank").agg(n=("y", "size"), total=("y", "sum"))

    frame = people()
    frame.loc[:, "rank"] = ["a"] * 11 + ["b"]
    found = privug.audit(release, people=frame, secret="people.y", prior="Normal(150, std=100)")
    counts = found.figures.set_index("name")
    assert counts.loc["b, n", "verdict"] == "fail" and counts.loc["a, n", "verdict"] == "pass"


@pytest.mark.parametrize("text", ["pd.crosstab(df['rank'], df['sex'], normalize='index')", "df.w.mean()", "df['rank'].nunique()"])
def test_numbers_of_which_nobody_knows_who_is_behind_them_do_not_pass(text: str) -> None:
    found = privug.audit(function(text), df=people(), secret="y", prior="Normal(150, std=100)")
    assert found.verdict == "review"


def test_a_count_of_other_rows_than_its_labels_say_is_not_taken_for_theirs() -> None:
    def release(people: Any) -> Any:
        counts = people.groupby("rank").size()
        # As many as there are, but of somebody else.
        counts.loc["a"] = int((people["id"] >= 8).sum())
        return counts

    found = privug.audit(release, people=people(), secret="y", prior="Normal(150, std=100)")
    assert "a" in set(found.figures.query("status == 'unexamined'")["name"]) or found.verdict == "review"


def test_differencing_is_found() -> None:
    def release(people: Any) -> Any:
        return {"all": people.y.sum(), "without one": people[people.id != 3].y.sum()}

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert found.verdict == "fail" and list(found.disclosed_by["row"].unique()) == [4]


def test_means_and_their_mean_are_redundant_for_certain() -> None:
    def release(people: Any) -> Any:
        by = people.groupby("rank").y.mean()
        sizes = people.groupby("rank").size()
        return {"by": by, "all": people.y.mean(), "again": (by * sizes).sum() / sizes.sum()}

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)", rules={"minimum_frequency": "off"})
    assert list(found.figures.set_index("name").loc[["all", "again"], "redundant"]) == [True, True]


SCRIPT = """
import pandas as pd
df = pd.read_csv("data/people.csv")
table = df.groupby("sex")["y"].mean()
print("Means")
print(table)
df.groupby("rank")["y"].sum().to_csv("out/sums.csv")
"""


def test_a_script_publishes_what_it_prints_and_writes(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT)
    found = privug.audit(str(tmp_path / "script.py"), live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert list(found.figures["name"]) == ["table[f]", "table[m]", "sums[a]", "sums[b]", "sums[c]"]
    assert list(found.figures["line"]) == [6, 6, 7, 7, 7]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "last",
    [
        "open('out.txt', 'w').write(str(len(df)))",
        "print(len(df[df.id == 3]))",
        "print(df.w.mean())",
        "import pathlib; pathlib.Path('out.txt').write_text(str(len(df)))",
        "import sys; sys.stdout.write(str(len(df)))",
    ],
)
def test_nothing_that_a_script_writes_goes_unseen(last: str, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    script = SCRIPT.replace('"rank"', '"sex"') + last + "\n"
    (tmp_path / "script.py").write_text(script)
    options: Any = dict(live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")
    rules = {"minimum_frequency": {"fail": 3, "review": 3}}
    found = privug.audit(str(tmp_path / "script.py"), rules=rules, **options)
    assert found.verdict != "pass"
    assert not (tmp_path / "out.txt").exists()


def test_a_script_that_never_reads_the_table_is_refused() -> None:
    text = textwrap.dedent("import pandas as pd\nprint(1)\n")
    with pytest.raises(privug.ProgramError, match="never reads the table"):
        privug.audit(text, live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")


def test_secrets_show_nothing_of_themselves() -> None:
    frame = Tables({"df": people()}, ["df.y"]).secret()["df"]
    assert "310" not in repr(frame) and "310" not in str(frame.y) and frame.y.dtype.name == "privug"
