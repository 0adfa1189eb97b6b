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
