"""Observed values are matched by labels, and what does not fit is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, List, NamedTuple

import numpy as np
import pandas as pd
import pytest

import privug
from privug import Normal, noisy

P = Normal(50, std=10, size=4)


def groups(x: Any) -> Any:
    return {"men": x[0] + 0.0, "women": x[1] + 0.0}


def series(x: Any) -> Any:
    return pd.Series([x[0], x[1]], index=["men", "women"])


def crossed(x: Any) -> Any:
    return pd.DataFrame({"a": [x[0], x[1]], "b": [x[2], x[3]]}, index=["men", "women"])


def levels(x: Any) -> Any:
    return pd.Series(list(x), index=pd.MultiIndex.from_product([["a", "b"], [1, 2]]))


SOURCE = "def groups(x):\n    return {'men': x[0] + 0.0, 'women': x[1] + 0.0}\n"
VECTOR = "def vector(x):\n    return [x[0], x[1], x[2]]\n"


def posterior(function: Any, observe: Any, **options: Any) -> List[float]:
    given: Any = dict(x=P, secret=["x[0]", "x[1]"], observe=observe, **options)
    found = privug.analyze(source=function, **given) if isinstance(function, str) else privug.analyze(function, **given)
    return found.posterior.mean.tolist()


class Pair(NamedTuple):
    women: float
    men: float


LABELLED: List[Any] = [
    {"women": 50, "men": 99},
    {np.str_("women"): np.float64(50), "men": np.int64(99)},
    pd.Series({"women": 50, "men": 99}),
    pd.Series({"women": "50", "men": "99"}),
    pd.Series({"women": 50, "men": 99}, dtype="Int64"),
    pd.Series([50, 99], index=pd.CategoricalIndex(["women", "men"])),
    Pair(women=50, men=99),
    {"women": Decimal(50), "men": Fraction(99)},
    {"return['women']": 50, "['men']": 99},
    ["return['women']=50", "return['men']=99"],
]


@pytest.mark.parametrize("observe", LABELLED, ids=repr)
@pytest.mark.parametrize("function", [groups, series, SOURCE], ids=["dict", "Series", "source"])
def test_labels_are_matched_and_not_places(function: Any, observe: Any) -> None:
    assert posterior(function, observe) == pytest.approx([99, 50])


def test_tables_are_matched_by_rows_and_columns() -> None:
    seen = pd.DataFrame({"b": [4.0, 3.0], "a": [2.0, 1.0]}, index=["women", "men"])
    assert posterior(crossed, seen) == pytest.approx([1, 2])
    assert posterior(crossed, {"a": {"women": 2, "men": 1}}) == pytest.approx([1, 2])
    seen = pd.Series({("b", 1): 3.0, ("a", 2): 2.0, ("a", 1): 1.0, ("b", 2): 4.0})
    assert posterior(levels, seen) == pytest.approx([1, 2])
    assert posterior(levels, {("a", np.int64(1)): 1, ("a", 2): 2}) == pytest.approx([1, 2])


def test_tuples_are_labels_or_the_way_to_a_part() -> None:
    assert posterior(lambda x: {"a": {1: x[0]}, "b": [x[1]]}, {("a", 1): 7, ("b", 0): 8}) == pytest.approx([7, 8])
    with pytest.raises(ValueError, match="P015"):
        posterior(lambda x: {"a": {1: x[0]}}, {("a", 2): 7})
    with pytest.raises(ValueError, match="P015"):
        posterior(lambda x: x[0], {("a", 2): 7})


def test_a_part_may_be_observed_by_its_label() -> None:
    assert posterior(groups, {"men": 99}) == pytest.approx([99, 50])
    assert posterior(series, pd.Series({"men": 99})) == pytest.approx([99, 50])
    assert posterior(lambda x: x[:3], {1: 7}) == pytest.approx([50, 7])
    assert posterior(VECTOR, {np.int64(1): 7}) == pytest.approx([50, 7])


def test_two_values_are_two_values() -> None:
    assert posterior(lambda x: [x[0], x[1]], (50, 51)) == pytest.approx([50, 51])
    assert posterior(lambda x: (x[0], x[1]), np.array([50, 51])) == pytest.approx([50, 51])
    assert posterior(lambda x: x[:2], [49, 51]) == pytest.approx([49, 51])
    with pytest.raises(TypeError, match="P015.*one value.*noisy"):
        posterior(lambda x: x[0], (50, 51))
    with pytest.raises(privug.ProgramError, match="P015"):
        posterior("def f(x):\n    return x[0]\n", (50, 51))


@pytest.mark.parametrize(
    "seen", ["60±10", noisy(60, std=10), {"return": noisy(60, std=10)}, ["60±10"], {"return": "60+-10"}], ids=repr
)
@pytest.mark.parametrize("function", [lambda x: x[0], "def f(x):\n    return x[0]\n"], ids=["live", "source"])
def test_noise_is_said_in_words(function: Any, seen: Any) -> None:
    assert posterior(function, seen)[0] == pytest.approx(55)


def test_noise_may_be_that_of_many_values() -> None:
    assert posterior(series, noisy(pd.Series({"women": 60, "men": 70}), std=10)) == pytest.approx([60, 55])
    assert posterior(SOURCE, noisy({"women": 60, "men": 70}, std=10)) == pytest.approx([60, 55])
    assert posterior(lambda x: x[:2], ["60±10", 70]) == pytest.approx([55, 70])
    assert posterior("def f(x):\n    return [x[0], x[1]]\n", ["60±10", 70]) == pytest.approx([55, 70])
    assert posterior(lambda x: x[:2], ["60±10", "70±10"]) == pytest.approx([55, 60])


REFUSED: List[Any] = [
    ("a list for labels", groups, [50, 99], "P015"),
    ("an array for labels", series, np.array([50, 99]), "P015"),
    ("positions for labels", series, pd.Series([50, 99]), "P015"),
    ("an unknown label", groups, {"women": 50, "children": 3}, "P015.*children"),
    ("an unknown label of a Series", series, pd.Series({"women": 50, "children": 3}), "P015.*'men', 'women'"),
    ("labels for places", lambda x: x[:2], pd.Series({"women": 50, "men": 99}), "P015"),
    ("an unknown column", crossed, pd.DataFrame({"c": [1.0]}, index=["men"]), "P015"),
    ("equal labels", series, pd.Series([1.0, 2.0], index=["men", "men"]), "P018"),
    ("too short", lambda x: x[:3], [50, 51], "P410"),
    ("too long", lambda x: x[:3], [50, 51, 52, 53], "P410"),
    ("too short for a list", lambda x: [x[0], x[1], x[2]], [50, 51], "P410"),
    ("nothing for three", lambda x: [x[0], x[1], x[2]], [], "P410"),
    ("too short a table", lambda x: [[x[0], x[1]], [x[2], x[3]]], [[1, 2], [3]], "P410"),
    ("too short in a text", VECTOR, [50, 51], "P015.*more"),
    ("too short with noise in a text", VECTOR, ["50±1", 51], "P410"),
    ("too long in a text", VECTOR, [50, 51, 52, 53], "P015"),
    ("one for several", lambda x: x[:3], 50, "P015"),
    ("NaN", lambda x: x[0], float("nan"), "P416"),
    ("NaN of numpy", lambda x: x[:2], np.array([1.0, np.nan]), "P"),
    ("NaN in a Series", series, pd.Series({"women": 50, "men": np.nan}), "P"),
    ("NaN in a text", SOURCE, {"women": 50, "men": np.nan}, "P"),
    ("infinity", lambda x: x[0], np.inf, "P"),
    ("None inside", groups, {"women": None, "men": 1}, "P503"),
    ("NA", series, pd.Series({"women": pd.NA, "men": 1}), "P"),
    ("a truth value", lambda x: x[0], True, "P503"),
    ("a truth value of numpy", lambda x: x[0], np.bool_(True), "P503"),
    ("truth values", lambda x: x[:2], [True, False], "P503"),
    ("an array of truth values", lambda x: x[:2], np.array([True, False]), "P503"),
    ("a function", lambda x: x[0], print, "P901"),
    ("a date", lambda x: x[0], pd.Timestamp("2020-01-01"), "P"),
    ("complex", lambda x: x[0], 3j, "P"),
    ("a negative position", lambda x: x[:2], {-1: 3}, "P015"),
    ("a place beyond", lambda x: x[:2], {2: 3}, "P015"),
    ("noise in noise", lambda x: x[0], noisy("50±1", std=1), "P014"),
    ("a constant", lambda x: {"n": 4, "x": x[0]}, {"n": 4, "x": 3}, "P015"),
]


@pytest.mark.parametrize("function, seen, code", [pytest.param(*each[1:], id=each[0]) for each in REFUSED])
def test_what_does_not_fit_is_refused(function: Any, seen: Any, code: str) -> None:
    with pytest.raises((TypeError, ValueError), match=code):
        posterior(function, seen)


def test_observations_need_a_secret() -> None:
    with pytest.raises(privug.ProgramError, match="P019"):
        privug.analyze(groups, x=P, observe={"men": 3})


@pytest.mark.parametrize("size", [2.7, 2.0, "3", True, -1, 10**12, None.__class__, [2], np.float64(3)], ids=repr)
def test_sizes_are_whole_numbers(size: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="P408|P602"):
        Normal(50, std=10, size=size)


def test_sizes_of_numpy_are_sizes() -> None:
    assert len(privug.analyze(lambda x: x, x=Normal(0, 1, size=np.int64(3))).secrets) == 3


def test_means_and_spreads_go_together_by_their_labels() -> None:
    mean, std = pd.Series({"a": 1.0, "b": 2.0}), pd.Series({"b": 3.0, "a": 4.0})
    with pytest.raises(ValueError, match="P410"):
        Normal(mean, std=std)
    assert privug.analyze(lambda x: x, x=Normal(mean, std=std.reindex(mean.index))).prior.std == pytest.approx([4, 3])


@pytest.mark.parametrize("truth", [float("nan"), np.inf, True, {"x[0]": float("nan")}, {"x[0]": None}, [None]], ids=repr)
def test_truths_are_numbers(truth: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="P416|P503"):
        privug.analyze(lambda x: x.sum(), x=P, secret="x[0]", truth=truth)


@pytest.mark.parametrize(
    "option", [{"level": float("nan")}, {"level": True}, {"tolerance": float("inf")}, {"max_steps": 2.5}, {"max_steps": -1}]
)
def test_other_numbers_are_checked(option: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="P416|P503|P408"):
        privug.analyze(lambda x: x.sum(), x=P, secret="x[0]", **option)


def test_evidence_inside_of_a_function_is_matched_by_labels_too() -> None:
    def program(x: Any) -> Any:
        totals = pd.Series([x[0], x[1]], index=["men", "women"])
        privug.condition(totals, pd.Series({"women": 1.0, "men": 2.0}))
        return x[0], x[1]

    found = privug.analyze(program, x=P)
    assert found.posterior.mean == pytest.approx([2, 1])
    assert [each["name"] for each in found.observations] == ["totals['women']", "totals['men']"]

    def unlabelled(x: Any) -> Any:
        privug.condition(x, pd.Series({"women": 1.0, "men": 2.0, "a": 1, "b": 2}))
        return x[0]

    with pytest.raises(ValueError, match="P015"):
        privug.analyze(unlabelled, x=P)


def test_infinities_are_numbers() -> None:
    found = privug.analyze(
        lambda x: x, x=P, secret=["x[0]", "x[1]"], require="mutual_information_bits <= 1", observe=[1, 2, 3, 4]
    )
    assert found.joint_leakage is not None
    assert found.joint_leakage["mutual_information_bits"] == float("inf")
    assert not any(isinstance(value, str) for value in found.joint_leakage.values())
    for requirement in found.requirements:
        assert not any(value in ("inf", "-inf", "nan") for value in requirement.values() if isinstance(value, str))
    assert float("inf") in [value for requirement in found.requirements for value in requirement.values()]
    assert found.to_dict()["joint_leakage"]["mutual_information_bits"] == "inf"
    for each in [*found.observations, *found.outputs, *(found.leakage[place]._entries[0] for place in range(2))]:
        assert not any(isinstance(value, str) and value in ("inf", "-inf", "nan") for value in each.values())


@pytest.mark.parametrize("measure", ["posterior_mean", "kl_posterior_prior_bits", "P(x > 1)"])
def test_sweeps_refuse_what_depends_on_values_that_nobody_has_seen(measure: str) -> None:
    def release(x: Any, std: float) -> Any:
        return x + Normal(0, std=std)

    given: Any = dict(x=Normal(0, 1), secret="x", steps=3, measure=measure)
    with pytest.raises(privug.ProgramError, match="P711"):
        privug.sweep(release, over={"std": (0.1, 1)}, **given)
    assert len(privug.sweep(release, over={"std": (0.1, 1)}, observe=1, **given)) == 3
