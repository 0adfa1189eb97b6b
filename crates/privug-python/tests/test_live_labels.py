"""Labels, headings, keys and names that show how many people there are: live, they are left to a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict

import numpy as np
import pandas as pd
import pytest

import privug

OPTIONS: Dict[str, Any] = dict(secret="people.income", prior="Normal(310, std=6)", person="id")


@pytest.fixture
def people() -> pd.DataFrame:
    incomes = np.random.default_rng(1).normal(310, 6, 60).round(1)
    regions = ["n"] * 30 + ["s"] * 20 + ["e"] * 8 + ["w"] * 2
    return pd.DataFrame({"id": range(100, 160), "sex": ["f", "m"] * 30, "age": [20 + i % 40 for i in range(60)], "region": regions, "income": incomes})


def means(people: Any) -> Any:
    return people.groupby("sex")["income"].mean()


def west(people: Any) -> int:
    return int((people["region"] == "w").sum())


def of_ones(people: Any) -> Any:
    table = means(people).reset_index()
    table["n"] = people[people["id"].isin([100, 101])].groupby("id").size().tolist()
    return table.set_index("n")["income"]


SHOWING: Dict[str, Callable[[Any], Any]] = {
    "index": lambda people: means(people).rename(lambda sex: f"{sex} ({west(people)})"),
    "heading": lambda people: means(people).to_frame(f"{west(people)} in the west"),
    "name": lambda people: means(people).rename(f"income, {west(people)}"),
    "axis": lambda people: means(people).rename_axis(f"sex {west(people)}"),
    "key": lambda people: {f"mean, {west(people)}": people["income"].mean()},
    "numbers": lambda people: means(people).set_axis(people.groupby("region").size().tolist()[:2]),
    "ones": of_ones,
    "texts": lambda people: means(people).reset_index().assign(sex=[f"{n} people" for n in people.groupby("region").size().tolist()[:2]]),
    "distinct": lambda people: means(people).rename(lambda sex: f"{sex}/{people[people['region'] == 'w']['id'].nunique()}"),
}


@pytest.mark.parametrize("name", SHOWING)
def test_a_label_that_shows_a_count_is_left_to_a_person(people: pd.DataFrame, name: str) -> None:
    found = privug.audit(SHOWING[name], people=people, **OPTIONS)
    assert found.verdict == "review"
    assert any("the label `" in each for each in found.figures["name"])


HARMLESS: Dict[str, Callable[[Any], Any]] = {
    "groups": means,
    "quarters": lambda people: people.groupby(pd.qcut(people["age"], 4), observed=False)["income"].mean(),
    "bins": lambda people: people.groupby(pd.cut(people["age"], 3), observed=False)["income"].mean(),
    "bands": lambda people: people.groupby(pd.cut(people["age"], [0, 30, 45, 99]), observed=False)["income"].mean(),
    "computed": lambda people: people.groupby(people["age"] // 20)["income"].mean(),
    "limits": lambda people: {f"{low}-{low + 19}": people[people["age"].between(low, low + 19)]["income"].mean() for low in (20, 40)},
    "small left out": lambda people: people.groupby("region")["income"].mean()[people.groupby("region").size() >= 10],
    "written otherwise": lambda people: means(people).rename({"f": "women, 18+", "m": "men, 18+"}),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_labels_of_groups_pass(people: pd.DataFrame, name: str) -> None:
    found = privug.audit(HARMLESS[name], people=people, **OPTIONS)
    assert found.verdict == "pass", found.figures


def test_a_ledger_looks_at_labels_too(people: pd.DataFrame, tmp_path: Path) -> None:
    with privug.Ledger(tmp_path / "ledger.json", people=people, **OPTIONS) as book:
        assert book.publish("plain", means(book.people)).verdict == "pass"
        assert book.publish("labelled", SHOWING["index"](book.people) * 2).verdict == "review"


def test_what_pandas_shows_to_itself_is_not_published(people: pd.DataFrame) -> None:
    # pandas 3.1 makes a text of the keys of `groupby` in order to find out whether they are a name.
    found = privug.audit(lambda people: people.groupby(people["age"] >= 40)["income"].mean(), people=people, **OPTIONS)
    assert found.figures["name"].tolist() == ["False", "True"]
    # What is shown to others is.
    found = privug.audit(lambda people: str(people.head(2)), people=people, **OPTIONS)
    assert found.verdict == "fail"


def groups(people: Any, column: str = "sex") -> Any:
    return people.groupby(column)


BESIDE_FIGURES: Dict[str, Callable[[Any], Any]] = {
    "label": lambda people: [f"{sex}: {rows['income'].mean():.1f}" for sex, rows in groups(people)],
    "year": lambda people: [f"{year}: {rows['income'].mean():.1f}" for year, rows in groups(people.assign(year=2020 + people["id"] % 3), "year")],
    "band": lambda people: [f"{band} ({rows['income'].mean():.1f})" for band, rows in groups(people.assign(band=np.where(people["age"] < 40, "20-39", "40-59")), "band")],
    "count": lambda people: [f"{sex} (n={len(rows)}): {rows['income'].mean():.1f}" for sex, rows in groups(people)],
    "lines": lambda people: "\n".join(f"{sex} {rows['income'].mean():.1f} {len(rows)}" for sex, rows in groups(people)),
    "without labels": lambda people: [f"{rows['income'].mean():.1f} ({len(rows)})" for _, rows in groups(people)],
    "of all": lambda people: f"{people['income'].mean():.0f} on average of {len(people)}",
    "everybody in a heading": lambda people: [f"All {len(people)} people", means(people)],
    "records": lambda people: means(people).reset_index().to_dict("records"),
    "counted records": lambda people: groups(people).agg(n=("age", "size"), mean=("income", "mean")).reset_index().to_dict("records"),
}


@pytest.mark.parametrize("name", BESIDE_FIGURES)
def test_labels_and_counts_beside_figures_are_judged(people: pd.DataFrame, name: str) -> None:
    found = privug.audit(BESIDE_FIGURES[name], people=people, **OPTIONS)
    assert found.verdict == "pass"
    counted = found.figures[found.figures["status"] == "count"]["value"].tolist()
    wanted = [30, 30] if name in ("count", "lines", "counted records", "without labels") else [60] if name in ("of all", "everybody in a heading") else []
    assert counted == wanted


def test_a_count_of_two_people_in_a_text_fails(people: pd.DataFrame) -> None:
    people = people.assign(income=people["income"].where(people["region"] != "w", 310.0))
    found = privug.audit(lambda people: [f"{name} (n={len(rows)}): {rows['income'].mean():.1f}" for name, rows in groups(people, "region")], people=people, **OPTIONS)
    counts = found.figures[found.figures["status"] == "count"]
    assert counts["value"].tolist() == [8, 30, 20, 2]
    assert counts["rules"].tolist()[-1] == "minimum_frequency" and found.verdict == "fail"


LEFT_TO_A_PERSON: Dict[str, Callable[[Any], Any]] = {
    "digits of the program": lambda people: f"{people['income'].mean():.1f}, {west(people)}",
    "others": lambda people: [f"{sex}: {rows['income'].mean():.1f}, {west(rows)} in the west" for sex, rows in groups(people)],
    "two": lambda people: f"{people['income'].mean():.1f}, {west(people)} in the west",
    "present": lambda people: f"{people['income'].mean():.1f}" + (f", {west(people)} in the west" if west(people) == 2 else ", few in the west"),
    "mean": lambda people: [f"{sex}: {rows['income'].mean():.1f}, aged {rows['age'].mean():.1f}" for sex, rows in groups(people)],
    "first": lambda people: f"{people['region'].iloc[0]}{people['id'].iloc[0]}: {people['income'].mean():.1f}",
    "records": lambda people: means(people).reset_index().assign(sex=[f"{n} people" for n in groups(people).size()]).to_dict("records"),
    "other records": lambda people: means(people).reset_index().assign(oldest=people["age"].max()).to_dict("records"),
}


@pytest.mark.parametrize("name", LEFT_TO_A_PERSON)
def test_what_is_not_understood_beside_figures_is_left_to_a_person(people: pd.DataFrame, name: str) -> None:
    found = privug.audit(LEFT_TO_A_PERSON[name], people=people, **OPTIONS)
    assert found.verdict == "review"
    assert set(found.reasons["rule"]) == {"unexamined"}


@pytest.mark.parametrize("call, module", [("os.system(f'echo {first}')", "os"), ("syslog.syslog(f'{first}')", "syslog")])
def test_what_is_refused_with_numbers_too_is_refused_for_that_reason(people: pd.DataFrame, call: str, module: str) -> None:
    text = f"import {module}\n\ndef release(people):\n    first = people.income.iloc[0]\n    {call}\n    return people.income.mean()\n"
    with pytest.raises(privug.ProgramError, match="P901"):
        privug.audit(text, people=people, live=True, **OPTIONS)
