"""The real pandas on secret columns: figures, refusals, counts, scripts."""

from __future__ import annotations

import dataclasses
import json
import linecache
import pathlib
import subprocess
import sys
import textwrap
import warnings
from typing import Any, List

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from live_corpus import SNIPPETS, agrees, weights
from privug._live_audit import Run, Tables
from privug._live_paired import Paired

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


@pytest.mark.parametrize("text", lines("live_pandas.txt"))
def test_pandas_computes_with_secret_columns_as_with_numbers(text: str) -> None:
    if pd.__version__ < "3" and 'aggfunc=["sum", "mean"], margins=True' in text:
        pytest.skip("pandas 2 casts the margins of several figures to floats, which is refused")
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


@pytest.mark.parametrize(
    "text, count",
    [
        ("str(df)", 12), ("df.y.to_string()", 12), ("df.to_csv()", 12), ("df.to_json()", 12),
        ('__import__("json").dumps({"a": df.y.sum()})', 1), ('__import__("json").dumps({"a": df.y.sum()}, default=str)', 1),
    ],
)  # fmt: skip
def test_a_text_that_is_made_of_a_table_is_published_when_it_is_made(text: str, count: int) -> None:
    tables = Tables({"df": people()}, ["df.y"])
    run = Run(function(text), tables)
    assert len(Paired(run, tables, run.on_secrets(), run.publish(tables.real())).figures) == count


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


def test_counts_beside_a_figure_have_its_people_behind_them() -> None:
    def release(people: Any) -> Any:
        # Labels that no column of the table has.
        people["band"] = np.where(people["w"] < 10.5, "low", "high")
        return people.groupby("band").agg(n=("y", "size"), total=("y", "sum"))

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    counts = found.figures.set_index("name")
    assert "unexamined" not in set(counts["status"])
    assert counts.loc["high, n", "verdict"] == "fail" and counts.loc["low, n", "verdict"] == "pass"


def test_a_count_beside_a_figure_that_is_of_other_people_is_not_taken_for_theirs() -> None:
    def release(people: Any) -> Any:
        people["band"] = np.where(people["w"] < 6, "low", "high")
        table = people.groupby("band").agg(n=("y", "size"), total=("y", "sum"))
        # As many as there are, but of the others.
        table["n"] = table["n"].iloc[::-1].to_numpy()
        return table

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert set(found.figures.set_index("name").loc[["low, n", "high, n"], "status"]) == {"unexamined"}


PLOTS = """
import matplotlib.pyplot as plt
import pandas as pd
df = pd.read_csv("people.csv")
fig, ax = plt.subplots()
LAST
plt.savefig("out.png")
"""


@pytest.mark.parametrize(
    "last",
    [
        "ax.bar(x=['all'], height=[df.y.sum()])",
        "ax.axhline(df.y.sum(), color='red')",
        "ax.set_title(f'{df.y.sum():.1f}')",
        "ax.set(ylim=(0, df.y.sum()))",
        "plt.plot([0], [df.y.sum()])",
        "plt.title(f'{df.y.sum():.1f}')",
        "fig.text(0, 0, f'{df.y.sum():.1f}')",
        "df.w.plot().axhline(df.y.sum())",
        "ax.imshow([[df.y.sum()]])",
        "ax.bar(['all'], [1])[0].set_height(df.y.sum())",
        "ax.set_yticks([df.y.sum()])",
    ],
)
def test_nothing_secret_that_a_script_draws_goes_unseen(last: str) -> None:
    pytest.importorskip("matplotlib")
    script = PLOTS.replace("LAST", last)
    found = privug.audit(script, live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert found.figures.query("status == 'used'")["value"].tolist() == [pytest.approx(people().y.sum(), abs=0.05)]


@pytest.mark.parametrize("last", ["ax.bar(['a', 'b'], [1, 2], width=0.5)", "ax.set_ylim(0, 10)", "ax.set_title('Means')", "plt.xlabel('x')"])
def test_what_stands_in_the_script_is_not_published(last: str) -> None:
    pytest.importorskip("matplotlib")
    tables = Tables({"people": people()}, ["people.y"])
    from privug._live_script import ScriptRun

    run = ScriptRun("<source>", PLOTS.replace("LAST", last), tables)
    assert run.publish(tables.real()) == []


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
    assert list(found.figures.set_index("name").loc[["all", "again"], "status"]) == ["redundant"] * 2


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
    # How many people there are in all is a count like others; here it is large enough.
    assert found.verdict != "pass" or list(found.figures["status"])[-1] == "count"
    assert not (tmp_path / "out.txt").exists()


def test_a_script_that_never_reads_the_table_is_refused() -> None:
    text = textwrap.dedent("import pandas as pd\nprint(1)\n")
    with pytest.raises(privug.ProgramError, match="never reads the table"):
        privug.audit(text, live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")


def test_secrets_show_nothing_of_themselves() -> None:
    frame = Tables({"df": people()}, ["df.y"]).secret()["df"]
    assert "310" not in repr(frame) and "310" not in str(frame.y) and frame.y.dtype.name == "privug"


@pytest.mark.parametrize("text", lines("live_numpy.txt"))
def test_numpy_computes_with_secret_arrays_as_with_numbers(text: str) -> None:
    values = [51.5, 48.25, 60.0, 39.0, 55.0, 47.5, 52.0, 44.0, 58.5, 41.0, 49.0, 63.0]
    frame = pd.DataFrame({"x": values, "w": np.arange(1.0, 13.0), "gi": [0, 1] * 6})
    tables = Tables({"people": frame}, ["people.x"])
    agrees(Run(written(f"f = lambda x, w, gi: {text}"), tables), tables)


def written(text: str) -> Any:
    """The function `f` of a text that can be looked up, as that of a file can."""
    path = f"<test {len(linecache.cache)}>"
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    names: Any = {"np": np}
    exec(compile(text, path, "exec"), names)
    return names["f"]


IN_PLACE = """
def f(x, w, gi):
    out = np.zeros(2)
    np.add.at(out, gi, x)
    total = np.zeros((2, 2))
    for place, k in enumerate(gi):
        total[k, place % 2] += x[place]
    x = x.copy()
    x += 1
    x[0] = 0
    x[3:5] = w[3:5]
    x *= 2
    return {"out": out, "total": total, "mean": x.mean()}
"""


def test_secrets_are_written_into_arrays() -> None:
    frame = pd.DataFrame({"x": np.arange(12.0), "w": np.arange(1.0, 13.0), "gi": [0, 1] * 6})
    tables = Tables({"people": frame}, ["people.x"])
    assert len(agrees(Run(written(IN_PLACE), tables), tables).figures) >= 5


def test_least_squares_of_a_secret_response_have_the_weights_of_the_packages() -> None:
    api = pytest.importorskip("statsmodels.api")
    linear_model = pytest.importorskip("sklearn.linear_model")

    def release(df: Any) -> Any:
        matrix = api.add_constant(df[["w", "year"]])
        fit = api.OLS(df["y"], matrix).fit()
        other = linear_model.LinearRegression().fit(df[["w"]].to_numpy(), df["y"].to_numpy())
        weighted = api.WLS(df["y"], matrix, weights=df["w"]).fit()
        return {"ols": fit.params, "wls": weighted.params, "slope": other.coef_[0], "constant": other.intercept_}

    tables = Tables({"df": people()}, ["df.y"])
    assert len(agrees(Run(release, tables), tables).figures) == 8

    for wanted in ("bse", "rsquared", "pvalues", "summary"):
        with pytest.raises(privug.ProgramError, match="P306"):
            Run(lambda df: getattr(api.OLS(df["y"], df[["w"]]).fit(), wanted), tables).on_secrets()
    with pytest.raises(privug.ProgramError, match="P301"):
        Run(lambda df: api.OLS(df["w"], df[["y"]]).fit().params, tables).on_secrets()


def ledger(path: pathlib.Path, frame: pd.DataFrame, **more: Any) -> privug.Ledger:
    return privug.Ledger(path, people=frame, secret="people.y", prior="Normal(150, std=100)", person="id", rules=OFF, **more)


OFF = {"minimum_frequency": "off", "dominance": "off", "p_percent": "off", "relative_std": "off", "near_truth": "off"}


def test_a_ledger_finds_what_two_months_tell_together(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ledger.json"
    with ledger(file, people()) as book:
        assert book.publish("may", book.people.y.sum()).verdict != "fail"
    # Next month the rows are in another order.
    later = people().sample(frac=1, random_state=2).reset_index(drop=True)
    with ledger(file, later) as book:
        found = book.publish("june", book.people[book.people.id != 3].y.sum())
        assert found.verdict == "fail"
        assert list(found.audit.disclosed_by["person"].unique()) == [3]
        assert list(found.figures.values())[0] == pytest.approx(later[later.id != 3].y.sum())
    assert (tmp_path / "ledger.html").read_text().startswith("<!")

    def release(people: Any) -> Any:
        return people[people.id != 5].y.sum()

    options: Any = dict(people=later, secret="people.y", prior="Normal(150, std=100)", person="id", rules=OFF)
    assert privug.audit(release, **options).verdict != "fail"
    after = privug.audit(release, published_before=file, **options)
    assert after.verdict == "fail" and {3, 5} <= set(after.disclosed_by["person"])
    source = "def release(people):\n    return people[people.id != 5].y.sum()\n"
    assert privug.audit(source, published_before=file, **options).verdict == "fail"


def test_a_ledger_refuses_changed_values_people_who_left_and_names_that_were_used(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ledger.json"
    with ledger(file, people()) as book:
        book.publish("may", book.people.y.sum())
        with pytest.raises(TypeError, match="published before"):
            book.publish("may", book.people.y.mean())
    changed = people()
    changed.loc[2, "y"] += 1
    for frame, reason in ((changed, "values have changed"), (people().iloc[1:].reset_index(drop=True), "who is not in the table")):
        with ledger(file, frame) as book:
            with pytest.raises(privug.ProgramError, match=reason):
                book.publish("june", book.people.y.mean())


def test_a_release_that_fails_can_be_withdrawn(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ledger.json"
    with ledger(file, people()) as book:
        everybody = book.publish("everybody", book.people.y.sum()).audit
        assert book.publish("all but one", book.people[book.people.id != 3].y.sum()).verdict == "fail"
        book.withdraw("all but one")
        assert book.verdict == everybody.verdict
        pd.testing.assert_frame_equal(book.audit.people, everybody.people)
        book.publish("again", book.people.y.mean())
        book.withdraw("everybody")
        assert [release["name"] for release in book.releases] == ["again"]
    with ledger(file, people()) as book:
        with pytest.raises(TypeError, match="'again' was not published in this"):
            book.withdraw("again")
        assert book.publish("but one", book.people[book.people.id != 3].y.sum()).verdict == "fail"


def test_counts_in_a_ledger_are_looked_into_where_they_can_be_computed_again(tmp_path: pathlib.Path) -> None:
    with ledger(tmp_path / "ledger.json", people()) as book:
        found = book.publish("sizes", lambda people: people.groupby("sex").size())
        assert set(found.audit.figures["status"]) == {"count"} or "unexamined" not in set(found.audit.figures["status"])
        assert book.publish("more", book.people.groupby("rank").size()).verdict == "review"


def test_numbers_in_texts_that_are_published_at_once_are_figures(tmp_path: pathlib.Path) -> None:
    script = (
        "import pandas as pd\ndf = pd.read_csv('people.csv')\n"
        "print(f'Mean: {df.y.mean():,.1f} of {df.sex.nunique()} sexes')\n"
        "for k, g in df.groupby('sex'):\n    print(f\"{g.y.sum():8.2f}\")\n"
    )
    found = privug.audit(script, live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert list(found.figures.query("status == 'used'")["line"]) == [3, 5]
    assert found.figures["value"].iloc[0] == pytest.approx(people().y.mean())
    # The number of sexes is nobody's, and nobody looked into it.
    assert "unexamined" in set(found.figures["status"])


@pytest.mark.parametrize(
    "body",
    [
        "text = f'{people.y.mean():.1f}'\n    return people.w.sum() if text == '5.0' else 0.0",
        "return len(f'{people.y.mean():.1f}')",
        "return {f'{people.y.mean():.1f}': 1}",
        "return helper(people.y.mean()) == '5.0'",
        "return '{:.1f}'.format(people.y.mean())[:1]",
        "return f'{people.y.mean():.1f}'[:1]",
        "return f\"{'a' if f'{people.y.mean():.1f}' == '5.0' else 'b'}\"",
    ],
)
def test_texts_with_secrets_that_could_still_be_looked_at_are_refused(body: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "release.py"
    path.write_text(f"def helper(m):\n    return f'{{m:.1f}}'\n\ndef release(people):\n    {body}\n")
    with pytest.raises(privug.ProgramError, match="P309"):
        privug.audit(live_corpus.load(path).release, people=people(), secret="people.y", prior="Normal(150, std=100)")


@pytest.mark.parametrize("secret", ["people.income", "peopl.y", "people.sex"])
def test_a_secret_that_is_no_column_of_numbers_is_refused(secret: str) -> None:
    with pytest.raises(privug.ProgramError, match="P80[14]"):
        privug.audit(lambda people: people.w.sum(), people=people(), secret=secret, prior="Normal(150, std=100)")


def test_the_command_runs_a_script_and_says_what_it_says_from_python(tmp_path: pathlib.Path) -> None:
    (tmp_path / "data").mkdir()
    people().to_csv(tmp_path / "data" / "people.csv", index=False)
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "privug", "audit", "script.py", "--live", "--table", "data/people.csv", "--json"]
    command += ["--secret", "people.y", "--prior", "Normal(150, std=100)"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = privug.audit(str(tmp_path / "script.py"), live=True, people=people(), secret="people.y", prior="Normal(150, std=100)")
    document = json.loads(done.stdout)
    assert done.returncode == {"pass": 0, "review": 4, "fail": 3}[found.verdict]
    assert [figure["name"] for figure in document["figures"]] == list(found.figures["name"])
    (tmp_path / "script.py").write_text(SCRIPT.replace(".mean()", ".std()"))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "P306" in done.stderr and "script.py:4" in done.stderr


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("sys.exit('no data')", "P808", 4),
        ("raise SystemExit(people.y.sum())", "P309", 4),
        ("import pickle; pickle.dumps(people)", "P309", 4),
        ("import pickle; pickle.dumps(people.y.sum())", "P309", 4),
    ],
)
def test_a_script_has_no_other_way_out(tmp_path: pathlib.Path, text: str, code: str, line: int) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import sys\nimport pandas as pd\npeople = pd.read_csv('people.csv')\n{text}\n")
    with pytest.raises(privug.ProgramError) as caught:
        privug.audit(str(script), live=True, tables={"people": people()}, secret="people.y", prior="Normal(150, std=100)")
    found = caught.value.diagnostics[0]
    assert (found["code"], found["start"]["line"]) == (code, line)


def test_what_is_printed_to_the_terminal_for_errors_is_published(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nimport pandas as pd\npeople = pd.read_csv('people.csv')\nprint(people.y.sum())\n"
        "print(people[people.id != 3].y.sum(), file=sys.stderr)\n"
    )
    found = privug.audit(str(script), live=True, tables={"people": people()}, secret="people.y", prior="Normal(150, std=100)", rules=OFF)
    assert found.verdict == "fail" and len(found.figures) == 2


def test_figures_lie_in_data_classes_and_generators_too() -> None:
    @dataclasses.dataclass
    class Report:
        total: Any
        by_sex: Any

    def release(people: Any) -> Any:
        return Report(people.y.sum(), [people[people.sex == sex].y.mean() for sex in "fm"])

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    frame = people()
    expected = [frame.y.sum(), frame[frame.sex == "f"].y.mean(), frame[frame.sex == "m"].y.mean()]
    assert found.figures["value"].tolist() == pytest.approx(expected)
    found = privug.audit(lambda df: (df.y.iloc[row] for row in (0, 1)), df=people(), secret="df.y", prior="Normal(150, std=100)")
    assert found.figures["value"].tolist() == [310.0, 20.0]


def test_a_secret_is_an_array_without_dimensions_too() -> None:
    def release(people: Any) -> Any:
        total = np.array(people.y.sum())
        return np.asarray(total) + np.atleast_1d(people.y.mean())

    found = privug.audit(release, people=people(), secret="people.y", prior="Normal(150, std=100)")
    assert found.figures["value"].tolist() == pytest.approx([people().y.sum() + people().y.mean()])
