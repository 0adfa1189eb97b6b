"""What people get wrong: the error says what is wrong and what to do, in words that fit what they wrote."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pandas
import pytest

import privug

PEOPLE = pandas.DataFrame({"id": range(1, 13), "region": list("ns") * 6, "income": np.arange(100.0, 112.0)})
PRIOR = "Normal(income.mean(), std=income.std())"


def release(people: Any) -> Any:
    return people.groupby("region")["income"].mean()


def per_head(people: Any, people_in_town: float) -> Any:
    return people["income"].sum() / people_in_town


def average(ages: Any) -> Any:
    return sum(ages) / len(ages)


def audit(made: Any = release, people: Any = PEOPLE, **options: Any) -> Any:
    return privug.audit(made, people=people, **{"secret": "people.income", "prior": PRIOR, **options})


def analyze(**options: Any) -> Any:
    ages = privug.Normal(35, std=2, size=10)
    return privug.analyze(average, **{"ages": ages, "secret": "ages[0]", **options})


MISTAKES = [
    (lambda: audit(release(PEOPLE)), "P901", "without calling it"),
    (lambda: audit(person=PEOPLE.id), "P805", "person='id'"),
    (lambda: audit(sensitve="income > 3"), "P724", "did you mean sensitive=?"),
    (lambda: audit(per_head, people_in_town=12.0), "P724", "functools.partial(release, people_in_town=12.0)"),
    (lambda: audit(people=PEOPLE.iloc[:0]), "P724", "the table has no rows"),
    (lambda: audit(people=PEOPLE.assign(income=np.inf)), "P724", "error[P724]: table `people`: row 1"),
    (lambda: audit(people=PEOPLE.iloc[:1]), "P407", "one with a single value has no standard deviation"),
    (lambda: audit(people=PEOPLE.assign(income=pandas.Timestamp("2024-01-31"))), "P804", "such as `2024-01-31"),
    (lambda: audit(people=PEOPLE.assign(income=pandas.Timedelta(days=3))), "P804", "such as `3 days"),
    (lambda: audit(people=PEOPLE.assign(income=PEOPLE.income * 1j)), "P804", "a secret must be a column of numbers"),
    (lambda: audit(people=PEOPLE.assign(income="1,5")), "P804", "such as `1,5`"),
    (lambda: analyze(observe="44 kg"), "P004", "without a unit"),
    (lambda: analyze(age=3), "P013", "did you mean 'ages'?"),
    (lambda: analyze(salaries=3), "P013", "its only parameter is ages"),
    (lambda: repr(privug.Normal("35", 4)), "P901", "'35' is of type str, not a number"),
    (lambda: privug.sweep(average, {"ages": 5}), "P708", "{'ages': (0.05, 5)}"),
    (lambda: analyze().leakage.mutual_information, "", "did you mean 'mutual_information_bits'?"),
]


@pytest.mark.parametrize("mistake, code, said", MISTAKES)
def test_a_mistake_is_told_with_what_to_do(mistake: Callable[[], Any], code: str, said: str) -> None:
    with pytest.raises(Exception) as caught:
        mistake()
    assert code in str(caught.value) and said in str(caught.value)


def test_a_cell_with_a_ledger_that_is_run_again_says_how_to_withdraw(tmp_path: Path) -> None:
    options: Any = {"people": PEOPLE, "secret": "people.income", "prior": PRIOR}
    for expected in ("", "call book.withdraw('May') first"):
        with privug.Ledger(tmp_path / "ledger.json", **options) as book:
            try:
                book.publish("May", book.people["income"].sum())
                assert not expected
            except TypeError as error:
                assert expected and expected in str(error)
    with pytest.raises(FileNotFoundError, match="create it, or give another path"):
        privug.Ledger(tmp_path / "none" / "ledger.json", **options)


def test_other_parameters_are_bound_as_the_hint_says() -> None:
    assert audit(functools.partial(per_head, people_in_town=12.0)).verdict == "pass"


def test_a_report_in_python_speaks_of_keywords() -> None:
    few = audit(lambda people: people[people["id"] < 9]["income"].mean())
    assert few.verdict == "fail" and "`suppress='NAME'`, `round=UNIT` and `noise=`" in repr(few)
    assert "--" not in repr(few) and "--suppress" not in few.to_html()
