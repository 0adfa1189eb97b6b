"""Published values are named by the labels that they have in what a function returns."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import numpy as np
import pandas as pd
import pytest

import privug
from publish_shapes import P, Report, SEX, Totals, bits


def by_sex(x: Any) -> Any:
    by_sex = pd.Series(list(x)).groupby(pd.Series(SEX)).sum()
    return by_sex


def sums(x: Any) -> Any:
    table = pd.DataFrame({"n": [2, 2], "income": [x[0] + x[2], x[1] + x[3]]}, index=["women", "men"])
    return table


def rows(x: Any) -> Any:
    table = pd.DataFrame({"income": list(x)})
    return table


def crossed(x: Any) -> Any:
    series = pd.Series([x[0], x[1]], index=pd.MultiIndex.from_tuples([("a", 1), ("b", np.int64(2))]))
    return series


def days(x: Any) -> Any:
    series = pd.Series([x.sum()], index=pd.to_datetime(["2020-01-02"]))
    return series


def report(x: Any) -> Any:
    result = Report(x[0] + x[1], {"rest": np.asarray(x)[2:].sum()})
    return result


def pair(x: Any) -> Any:
    result = Totals(x[0] + x[1], x[2])
    return result


NAMED: List[Any] = [
    (by_sex, ["by_sex['men']", "by_sex['women']"]),
    (sums, ["table['income']['women']", "table['income']['men']"]),
    (rows, [f"table['income'][{place}]" for place in range(4)]),
    (crossed, ["series[('a', 1)]", "series[('b', 2)]"]),
    (days, ["series['2020-01-02 00:00:00']"]),
    (report, ["result['first']", "result['rest']['rest']"]),
    (pair, ["result['first']", "result['rest']"]),
    (lambda x: {1: x[0], 0.5: x[1], ("a", 2): x[2]}, ["return[1]", "return[0.5]", "return[('a', 2)]"]),
    (lambda x: [x[0], {"a": x[1]}], ["x[0]", "return[1]['a']"]),
]


@pytest.mark.parametrize("function, names", NAMED)
def test_outputs_are_named_by_their_labels(function: Callable[..., Any], names: List[str]) -> None:
    found = privug.analyze(function, x=P, secret="x[0]")
    assert [output["name"] for output in found.outputs] == names


def test_live_names_are_those_of_source_analysis() -> None:
    source = "def f(x):\n    result = {'a': [x[0], x[1]], 2: x[2], ('b', 3): x[3]}\n    return result\n"
    scope: Dict[str, Any] = {}
    exec(source, scope)  # noqa: S102 - the text above
    expected = ["['a'][0]", "['a'][1]", "[2]", "[('b', 3)]"]
    live = privug.analyze(scope["f"], x=P, secret="x[0]")
    read = privug.analyze(source=source, x=P, secret="x[0]")
    assert [output["name"] for output in read.outputs] == [f"result{path}" for path in expected]
    # The text of a function that was never in a file is not known.
    assert [output["name"] for output in live.outputs] == [f"return{path}" for path in expected]


@pytest.mark.parametrize("function", [by_sex, sums, report])
def test_totals_of_any_kind_have_the_numbers_of_totals(function: Callable[..., Any]) -> None:
    # One of two people with equal variances: half of the variance is left, which is half a bit.
    assert bits(function) == pytest.approx(0.5)
