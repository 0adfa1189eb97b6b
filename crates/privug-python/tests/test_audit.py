"""Audits of scripts in Python: the same as on the command line, with everybody in tables."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Dict

import numpy as np
import pandas as pd
import pytest

import privug
from conftest import ROOT, run_command

PROGRAMS = ROOT / "programs" / "audit"
RELEASE = PROGRAMS / "release.py"
OPTIONS: Dict[str, Any] = dict(
    secret="people.income", prior="Normal(prior_mean, prior_variance)", person="id"
)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return pd.read_csv(PROGRAMS / "incomes.csv")


@pytest.fixture(scope="module")
def found(people: pd.DataFrame) -> privug.Audit:
    return privug.audit(RELEASE, people=people, **OPTIONS)


def command(*more: str) -> Dict[str, Any]:
    flags = ["--secret", "people.income", "--prior", "Normal(prior_mean, prior_variance)", "--person", "id", *more]
    return run_command("audit", str(RELEASE), "--table", f"people={PROGRAMS / 'incomes.csv'}", *flags)[1]


def test_the_document_is_that_of_the_command_line(found: privug.Audit) -> None:
    assert found.to_dict() == command()
    assert found.to_dict(all_people=True) == command("--all-people")


def test_defences_and_rules_are_those_of_the_command_line(people: pd.DataFrame, found: privug.Audit) -> None:
    flags = ["--noise", "men=normal(std=500.0)", "--suppress", "all 21-30", "--round", "1000"]
    again = found.with_noise({"men": 500}).without("all 21-30").rounded(1000)
    assert again.to_dict() == command(*flags)
    rules = {"minimum_frequency": {"fail": 5, "review": 12}, "near_truth": "off"}
    flags = ["minimum_frequency.fail=5", "minimum_frequency.review=12", "near_truth=off"]
    document = command(*(part for flag in flags for part in ("--rule", flag)))
    for given in (dict(rules=rules), dict(policy=rules), dict(rules=flags)):
        assert privug.audit(RELEASE, people=people, **OPTIONS, **given).to_dict() == document


def test_everybody_and_every_figure_are_in_tables(people: pd.DataFrame, found: privug.Audit) -> None:
    document = found.to_dict(all_people=True)
    table = found.people
    assert table["person"].tolist() == people["id"].tolist()
    for place, one in enumerate(document["people"]):
        for name, value in one.items():
            if name not in ("person", "rules", "leaks", "disclosed_by"):
                assert table[name][place] == value
    assert found.figures["name"].tolist() == [figure["name"] for figure in document["figures"]]
    assert found.reasons["rule"].tolist() == [reason["rule"] for reason in document["reasons"]]
    table.loc[0, "person"] = 17
    assert found.people["person"][0] == people["id"][0]


def test_what_discloses_whom_gives_the_secret(people: pd.DataFrame) -> None:
    text = """
def release(people):
    others = people[people.id != 3]
    return {"all": people.income.mean(), "others": others.income.mean()}
"""
    found = privug.audit(text, people=people, **OPTIONS)
    assert found.verdict == "fail"
    table = found.disclosed_by.merge(found.figures, left_on="figure", right_on="name")
    assert set(table["person"]) == {3}
    assert (table["weight"] * table["value"]).sum() == pytest.approx(people.loc[people.id == 3, "income"].item())


def test_tables_of_other_packages_say_the_same(people: pd.DataFrame, found: privug.Audit) -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    tables = [
        people.to_dict("list"),
        polars.DataFrame(people.to_dict("list")),
        pyarrow.Table.from_pandas(people),
        people.convert_dtypes(),
        people.astype({"sex": "category", "income": float}),
    ]
    for table in tables:
        assert privug.audit(RELEASE, people=table, **OPTIONS).people.equals(found.people)


def by_sex(people: Any) -> Any:
    return people.groupby("sex", observed=True)["income"].mean(), people[people["id"] > 5]["income"].sum()


@pytest.mark.parametrize("way", ["source", "function"])
def test_polars_and_pyarrow_say_what_pandas_says(people: pd.DataFrame, way: str) -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    gaps = people.astype({"income": float})
    gaps.loc[[0, 5], "income"] = np.nan
    columns = {name: [None if value != value else value for value in gaps[name].tolist()] for name in gaps}
    table = polars.DataFrame(columns)
    release: Any = RELEASE if way == "source" else by_sex
    expected = privug.audit(release, people=gaps, **OPTIONS)
    ours = [
        table,
        table.with_columns(polars.col("sex").cast(polars.Enum(sorted(set(columns["sex"]))))),
        table.with_columns(polars.col("income").cast(polars.Decimal(12, 2))),
        table.with_columns(polars.col("income").cast(polars.Float32)),
        polars.concat([table[:7], table[7:]], rechunk=False),
        table.to_arrow(),
        pyarrow.concat_tables([table[:7].to_arrow(), table[7:].to_arrow()]),
        table.to_arrow().combine_chunks().to_batches()[0],
    ]
    for given in ours:
        found = privug.audit(release, tables={"people": given}, **OPTIONS)
        assert found.people["person"].tolist() == expected.people["person"].tolist()
        for name in ("posterior_mean", "posterior_variance"):
            np.testing.assert_allclose(found.people[name].astype(float), expected.people[name].astype(float), rtol=1e-12)
        assert found.figures["name"].tolist() == expected.figures["name"].tolist()
        assert pickle.loads(pickle.dumps(found)).verdict == found.verdict
    with pytest.raises(privug.ProgramError, match="missing"):
        privug.audit(release, people=table, missing="refuse", **OPTIONS)
    with pytest.raises(TypeError, match="collect"):
        privug.audit(release, people=table.lazy(), **OPTIONS)


def test_numbers_of_polars_and_pyarrow_are_not_copied(people: pd.DataFrame) -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    from privug._frames import _columns

    values = np.arange(1000.0)
    for table in (polars.DataFrame({"income": values}), pyarrow.table({"income": values})):
        (_, first, _), (_, second, _) = _columns("people", table)[0], _columns("people", table)[0]
        assert np.shares_memory(first, second)


def test_a_function_for_polars_is_refused_in_words(people: pd.DataFrame) -> None:
    polars = pytest.importorskip("polars")

    def release(people: Any) -> Any:
        return people.group_by("sex").agg(polars.col("income").mean())

    with pytest.raises(privug.ProgramError, match="run with pandas.*group_by"):
        privug.audit(release, people=polars.DataFrame(people.to_dict("list")), **OPTIONS)


def test_a_ledger_takes_polars_and_goes_on_with_pandas(people: pd.DataFrame, tmp_path: Any) -> None:
    polars = pytest.importorskip("polars")
    options = {name: OPTIONS[name] for name in ("secret", "prior", "person")}
    table = polars.DataFrame(people.to_dict("list"))
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for path, given in ((first, table), (second, people)):
        with privug.Ledger(path, people=given, **options) as book:
            book.publish("by sex", book.people.groupby("sex")["income"].mean())
    assert first.read_text() == second.read_text()
    found = privug.audit(RELEASE, people=table.to_arrow(), published_before=first, **OPTIONS)
    assert found.people.equals(privug.audit(RELEASE, people=people, published_before=second, **OPTIONS).people)


def test_missing_values_are_left_out_or_refused(people: pd.DataFrame, tmp_path: Any) -> None:
    gaps = people.astype({"income": float})
    gaps.loc[[0, 5], "income"] = np.nan
    gaps.loc[7, "sex"] = None
    gaps.to_csv(tmp_path / "gaps.csv", index=False)
    flags = ["--secret", "people.income", "--prior", "Normal(prior_mean, prior_variance)", "--person", "id"]
    document = run_command("audit", str(RELEASE), "--table", f"people={tmp_path / 'gaps.csv'}", *flags)[1]
    found = privug.audit(RELEASE, people=gaps, **OPTIONS)
    assert len(found.people) == len(people) - 2
    for name in ("people", "figures", "notes", "verdict"):
        assert found.to_dict()[name] == document[name]
    with pytest.raises(privug.ProgramError, match="row 8, column `sex`"):
        privug.audit(RELEASE, people=gaps, missing="refuse", **OPTIONS)


def test_several_secrets_may_be_correlated(people: pd.DataFrame) -> None:
    both = people.assign(debt=people.income * 0.3 + people.id)
    text = "def release(people):\n    return people.groupby('sex').income.mean()\n"
    secret = ["people.income", "people.debt"]
    priors = {"income": "Normal(mean=500_000, std=60_000)", "debt": "Normal(0.3 * income, std=5_000)"}
    found = privug.audit(text, people=both, secret=secret, prior=priors)
    debts = found.people[found.people.secret == "people.debt"]
    assert len(found.people) == 2 * len(people) and (debts.relative_std < 1).all()
    alone = {**priors, "debt": privug.Normal(150_000, std=20_000)}
    found = privug.audit(text, people=both, secret=secret, prior=alone)
    assert (found.people[found.people.secret == "people.debt"].relative_std == 1).all()


def test_results_can_be_stored_and_copied(found: privug.Audit) -> None:
    loaded = pickle.loads(pickle.dumps(found))
    assert loaded.to_dict(True) == found.to_dict(True) and repr(loaded) == repr(found)
    assert loaded.people.equals(found.people) and loaded.figures.equals(found.figures)
    assert loaded.without("men").to_dict() == found.without("men").to_dict()
    assert found.without(["men", "all 21-30"]).to_dict() == found.without("men", "all 21-30").to_dict()
    with pytest.raises(TypeError, match=r"mean\[a\]"):
        found.without(3)  # type: ignore[arg-type]
    assert copy.deepcopy(found).people.equals(found.people)
    assert "privug.audit" in loaded.to_html() and loaded.to_svg() == found.to_svg()


def test_reports_are_shown(found: privug.Audit) -> None:
    assert repr(found).startswith("Verdict: FAIL")
    assert "<svg" in found._repr_html_() and "fail" in found._repr_html_()
    assert "<html" in found.to_html()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = found.plot()
    heights = [bar.get_height() for bar in axes.patches]
    assert sum(heights) == len(found.people)


def test_what_makes_no_sense_is_refused(people: pd.DataFrame) -> None:
    def refused(code: str, **changed: Any) -> None:
        given = {**OPTIONS, "people": people, **changed}
        with pytest.raises((privug.ProgramError, TypeError), match=code):
            privug.audit(RELEASE, **given)

    refused("P724", people="incomes.csv")
    refused("P804", secret="staff.income")
    refused("P801", secret="people.wage")
    refused("P805", person="name")
    refused("P014", secret=3)
    refused("P014", missing="drop")
    refused("P724", people=people.assign(income=np.inf))
    refused("P724", people=pd.concat([people, people.income], axis=1))
    with pytest.raises(privug.ProgramError, match="no table"):
        privug.audit(RELEASE, **OPTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "people.groupby('sex', as_index=False).income.mean()",
        "people.groupby(['region', 'sex']).income.sum().reset_index()",
        "people.groupby('region').agg(mean=('income', 'mean'), n=('income', 'size')).reset_index()",
    ],
)
def test_columns_that_name_the_rows_are_labels_and_not_figures(text: str) -> None:
    people = pd.DataFrame(
        {"region": ["north", "south"] * 20, "sex": ["f", "f", "m", "m"] * 10, "income": np.linspace(100, 900, 40) ** 1.01}
    )
    source = f"def release(people):\n    return {text}\n"
    options: Any = dict(people=people, secret="people.income", prior="Normal(500, std=300)")
    from_source = privug.audit(source, **options)
    live = privug.audit(eval(f"lambda people: {text}"), **options)
    assert set(from_source.figures["name"]) == set(live.figures["name"])
    assert "unexamined" not in set(from_source.figures["status"]) and from_source.verdict == live.verdict


def test_a_function_in_a_file_or_a_text_is_run_live_as_the_function_itself(people: pd.DataFrame, tmp_path: Any) -> None:
    text = "SCALE = 1000\n\ndef release(people):\n    return {'mean': mean(people), 'count': len(people)}\n\n\ndef mean(people):\n    return people['income'].mean() / SCALE\n"
    path = tmp_path / "release.py"
    path.write_text(text)
    documents = [
        privug.audit(release, live=live, people=people, **OPTIONS).to_dict()
        for release, live in ((str(path), True), (text, True), (f"{path}:release", True), (str(path), False))
    ]
    for document in documents:
        assert [figure["value"] for figure in document["figures"]] == [people["income"].mean() / 1000, len(people)]
        assert document["people"] == documents[0]["people"]
    with pytest.raises(privug.ProgramError, match="P010"):
        privug.audit(text.replace("mean(people),", "0,"), live=True, people=people, **OPTIONS)
    with pytest.raises(privug.ProgramError, match="P306"):
        privug.audit(text.replace("mean(people),", "people['income'].median(),"), live=True, function="release", people=people, **OPTIONS)


def test_tables_without_rows_have_their_columns(people: pd.DataFrame) -> None:
    some = pd.concat([people] * 3, ignore_index=True).assign(id=lambda table: table.index)
    harmless = privug.audit(lambda people: people["income"].sum(), people=some, rules={"near_truth": "off"}, **OPTIONS)
    assert harmless.verdict == "pass", harmless.reasons
    assert harmless.reasons.columns.tolist() == ["rule", "verdict", "count", "message", "people"]
