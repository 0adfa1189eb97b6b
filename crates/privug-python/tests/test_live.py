"""Ordinary Python functions on random variables."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Callable, List

import numpy as np
import pandas as pd
import pytest

import privug
from privug import Normal, condition, gaussian_mechanism, noisy, observe


def average_age(ages: Any) -> Any:
    return sum(ages) / len(ages)


def test_the_example_of_the_ages_is_exact() -> None:
    found = privug.analyze(average_age, ages=Normal(35, std=2, size=100), observe="44±0.1", secret="ages[0]")
    assert found.posterior.mean == pytest.approx([42.2], rel=1e-14)
    assert found.posterior.var == pytest.approx([3.968], rel=1e-14)
    assert found.secrets == ["ages[0]"]


@pytest.mark.parametrize("seen", ["44±0.1", "44+-0.1", noisy(44, std=0.1), noisy(44.0, std=np.float64(0.1)), {"return": noisy(44, std=0.1)}])
def test_observations_are_texts_noisy_values_or_dictionaries(seen: Any) -> None:
    found = privug.analyze(average_age, ages=Normal(35, 4, size=100), observe=seen, secret="ages[0]")
    assert found.posterior.mean == pytest.approx([42.2], rel=1e-14)


def test_classes_closures_and_helpers_work() -> None:
    @dataclass
    class Household:
        members: List[Any]

        def total(self) -> Any:
            return sum(self.members)

    factor = 0.5

    def program(incomes: Any) -> Any:
        homes = [Household(list(incomes[:2])), Household(list(incomes[2:]))]
        return [factor * home.total() for home in homes]

    found = privug.analyze(program, incomes=Normal(10, 4, size=4), secret="incomes[0]", observe=[11, 10])
    assert found.posterior.mean == pytest.approx([11])
    assert found.posterior.var == pytest.approx([2])


def test_methods_partials_and_lambdas_work() -> None:
    class Office:
        def release(self, x: Any, shift: float) -> Any:
            return x + shift

    expected = [3.0]
    assert privug.analyze(Office().release, x=Normal(0, 1), shift=2, secret="x", observe=5).posterior.mean == expected
    release = partial(Office().release, shift=2)
    assert privug.analyze(release, x=Normal(0, 1), secret="x", observe=5).posterior.mean == expected
    assert privug.analyze(lambda x: x + 2, x=Normal(0, 1), secret="x", observe=5).posterior.mean == expected


def test_in_the_style_of_the_paper_the_result_is_the_secret() -> None:
    def agg() -> Any:
        women = Normal(40, 25)
        men = Normal(40, 25)
        both = (women + men) / 2
        condition("both", 43)
        observe(women, 45, std=2)
        return women, men

    found = privug.analyze(agg)
    assert found.secrets == ["women", "men"]
    assert [seen["name"] for seen in found.observations] == ["both", "women"]
    assert [seen["variance"] for seen in found.observations] == [0.0, 4.0]
    assert found.posterior.mean.sum() == pytest.approx(86)


def test_branches_return_where_they_return() -> None:
    def program(x: Any, early: bool) -> Any:
        if early:
            return x
        total = x + 1
        return total

    assert privug.analyze(program, x=Normal(0, 1), early=True).secrets == ["x"]
    assert privug.analyze(program, x=Normal(0, 1), early=False).secrets == ["total"]


def test_secrets_and_questions_may_mention_variables_of_the_function() -> None:
    def program(xs: Any) -> Any:
        first = xs[0] * 2
        return first + xs[1]

    found = privug.analyze(program, xs=Normal(1, 1, size=2), secret="first", observe=6, query="P(first > 2)")
    assert found.secrets == ["first"]
    assert found.posterior.mean == pytest.approx([2 + 4 / 5 * 3])
    assert found.queries["P(first > 2)"]["before"] == pytest.approx(0.5)


def test_the_gaussian_mechanism_adds_noise() -> None:
    def release(x: Any, epsilon: float) -> Any:
        return gaussian_mechanism(x, sensitivity=1, epsilon=epsilon, delta=0.01, calibration="classic")

    found = privug.analyze(release, x=Normal(0, 1), epsilon=0.5, secret="x")
    assert found.mechanisms[0]["name"] == "x"
    assert found.mechanisms[0]["variance"] == pytest.approx(2 * math.log(125) / 0.25)


def test_vectors_compute_as_numpy_does() -> None:
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    mask = np.array([True, False, True, False])

    def program(x: Any) -> Any:
        matrix = np.arange(8.0).reshape(2, 4)
        return [
            (x + weights)[3], (weights + x)[3], (weights - x)[3], (x * weights)[2], (x / weights)[1], (2 * x - 1)[0],
            (-x)[0], x.sum(), x.mean(), np.sum(x), np.mean(x), weights @ x, x @ weights, np.dot(weights, x),
            x.dot(weights), (matrix @ x)[1], (x @ matrix.T)[1], x[mask].sum(), x[[0, -1]].sum(), x[1:3].sum(),
            x[::-1][0], np.concatenate([x, x[:1]])[4], np.add(x, 1)[0], np.multiply(2, x)[0], np.subtract(1, x)[0],
            np.divide(x, 2)[0], np.negative(x)[0], np.average(x, weights=weights), np.add.reduce(x), np.cumsum(x)[2],
            np.float64(2) * x[0], x[0] * np.int64(3), np.array([x[0], x[1]]).sum(), np.array(2.0) + x[0],
            np.diff(x)[0], x[np.int64(2)], x[-1], sum(x), (pd.Series(weights) * 1.0).to_numpy() @ x,
        ]  # fmt: skip

    means = np.array([10.0, 20.0, 30.0, 40.0])
    found = privug.analyze(program, x=Normal(means, variance=pd.Series([1.0, 4.0, 9.0, 16.0])))
    matrix = np.arange(8.0).reshape(2, 4)
    expected = [
        44, 44, -36, 90, 10, 19, -10, 100, 25, 100, 25, 300, 300, 300, 300, (matrix @ means)[1], (matrix @ means)[1], 40,
        50, 50, 40, 10, 11, 20, -9, 5, -10, 30, 100, 60, 20, 30, 30, 12, 10, 30, 40, 100, 300,
    ]  # fmt: skip
    assert found.prior.mean == pytest.approx(expected)
    assert found.prior.var[7] == pytest.approx(30)
    assert found.prior.var[11] == pytest.approx(1 + 16 + 81 + 256)


def test_shapes_and_lengths_are_those_of_numpy() -> None:
    def program(x: Any) -> Any:
        assert (len(x), x.size, x.shape, x.ndim, np.size(x), np.shape(x)) == (4, 4, (4,), 1, 4, (4,))
        assert len(x[1:]) == 3 and len(x[np.array([], dtype=int)]) == 0
        with pytest.raises(IndexError):
            x[4]
        with pytest.raises(ValueError):
            x + np.ones(3)
        with pytest.raises(IndexError):
            x[np.array([True])]
        with pytest.raises(TypeError):
            x + "text"
        return x

    assert len(privug.analyze(program, x=Normal(0, 1, size=4)).secrets) == 4


def test_priors_come_from_lists_arrays_and_frames() -> None:
    table = pd.DataFrame({"mean": [1.0, 2.0], "std": [3.0, 4.0]})
    for prior in (
        Normal(table["mean"], std=table["std"]),
        Normal([1, 2], std=[3, 4]),
        Normal(np.array([1, 2]), np.array([9, 16])),
        [Normal(1, 9), Normal(2, 16)],
        privug.MultivariateNormal([1, 2], [[9, 0], [0, 16]]),
    ):
        found = privug.analyze(lambda x: [x[0], x[1]], x=prior)
        assert found.prior.mean.tolist() == [1.0, 2.0]
        assert found.prior.cov.tolist() == [[9.0, 0.0], [0.0, 16.0]]
        source = privug.analyze(source="def f(x):\n    return [x[0], x[1]]\n", x=prior)
        assert source.prior.cov.tolist() == [[9.0, 0.0], [0.0, 16.0]]


NOT_GAUSSIAN: List[Any] = [
    ("if x > y", lambda x, y: 1 if x > y else 2, "P304"),
    ("if x", lambda x, y: 1 if x else 2, "P305"),
    ("x == y", lambda x, y: x == y, "P304"),
    ("x * y", lambda x, y: x * y, "P301"),
    ("x / y", lambda x, y: x / y, "P302"),
    ("1 / x", lambda x, y: 1 / x, "P302"),
    ("x ** 2", lambda x, y: x**2, "P303"),
    ("2 ** x", lambda x, y: 2**x, "P303"),
    ("x // 2", lambda x, y: x // 2, "P310"),
    ("x % 2", lambda x, y: x % 2, "P310"),
    ("abs(x)", lambda x, y: abs(x), "P306"),
    ("round(x)", lambda x, y: round(x), "P306"),
    ("round(x, 1)", lambda x, y: round(x, 1), "P306"),
    ("max(x, y)", lambda x, y: max(x, y), "P304"),
    ("sorted", lambda x, y: sorted([x, y]), "P304"),
    ("np.exp(x)", lambda x, y: np.exp(x), "P306"),
    ("np.abs(x)", lambda x, y: np.abs(x), "P306"),
    ("np.greater(x, 1)", lambda x, y: np.greater(x, 1), "P304"),
    ("math.exp(x)", lambda x, y: math.exp(x), "P309"),
    ("math.floor(x)", lambda x, y: math.floor(x), "P306"),
    ("int(x)", lambda x, y: int(x), "P309"),
    ("range(x)", lambda x, y: range(x), "P307"),
    ("key", lambda x, y: {x: 1}, "P307"),
    ("Normal(0, x)", lambda x, y: Normal(0, x), "P308"),
    ("np.array([...]) ** 2", lambda x, y: np.array([x, y]) ** 2, "P303"),
]


@pytest.mark.parametrize("function, code", [pytest.param(f, code, id=name) for name, f, code in NOT_GAUSSIAN])
def test_what_is_not_gaussian_says_why(function: Callable[..., Any], code: str) -> None:
    with pytest.raises(privug.NotGaussianError, match=code) as error:
        privug.analyze(function, x=Normal(0, 1), y=Normal(0, 1))
    assert isinstance(error.value, TypeError)
    assert error.value.code == code and error.value.hint


VECTORS: List[Any] = [
    ("x * x", lambda x: x * x, "P301"),
    ("x @ x", lambda x: x @ x, "P301"),
    ("x > 1", lambda x: x > 1, "P304"),
    ("x[x > 1]", lambda x: x[x > 1], "P304"),
    ("x ** 2", lambda x: x**2, "P303"),
    ("1 / x", lambda x: 1 / x, "P302"),
    ("np.exp(x)", lambda x: np.exp(x), "P306"),
    ("np.std(x)", lambda x: np.std(x), "P306"),
    ("x.var()", lambda x: x.var(), "P306"),
    ("max(x)", lambda x: max(x), "P304"),
    ("1 in x", lambda x: 1 in x, "P304"),
    ("if x", lambda x: 1 if x else 2, "P305"),
    ("x[x[0]]", lambda x: x[x[0]], "P307"),
]


@pytest.mark.parametrize("function, code", [pytest.param(f, code, id=name) for name, f, code in VECTORS])
def test_what_is_not_gaussian_about_vectors_says_why(function: Callable[..., Any], code: str) -> None:
    with pytest.raises(privug.NotGaussianError, match=code):
        privug.analyze(function, x=Normal(0, 1, size=3))


def test_exact_arithmetic_reads_doubles_as_they_are_written() -> None:
    def program(x: Any) -> Any:
        return 0.1 * x

    found = privug.analyze(program, x=Normal(0.3, 1), exact=True)
    assert found.exact is not None
    assert (found.exact["mean"], found.exact["variance"]) == (["3/100"], ["1/100"])
    found = privug.analyze(lambda x: x * Fraction(1, 3), x=Normal(1, 1), exact=True)
    assert found.exact is not None and found.exact["variance"] == ["1/9"]
    found = privug.analyze(lambda x: x / 3, x=Normal(1, 1), exact=True)
    assert found.exact is not None and found.exact["mean"] == ["1/3"]


def test_doubts_are_decided_in_exact_arithmetic() -> None:
    def program(x: Any, y: Any) -> Any:
        condition(x / 3 + y / 7, 1)
        condition(7 * x + 3 * y, 21)
        return x

    found = privug.analyze(program, x=Normal(0, 1), y=Normal(0, 1))
    assert [seen["status"] for seen in found.observations] == ["used", "redundant"]


def test_a_coefficient_that_was_rounded_by_python_decides_nothing() -> None:
    def program(x: Any, y: Any) -> Any:
        third, tenth = 1 / 3, 1 / 10
        condition(third * x + tenth * y, 1)
        condition(10 * x + 3 * y, 30)
        return x

    with pytest.raises(privug.ProgramError, match="P504"):
        privug.analyze(program, x=Normal(0, 1), y=Normal(0, 1))


def test_doubles_with_the_same_ratio_are_the_same_figure() -> None:
    # The doubles of 1/3 and 1/7 are to each other as 7 to 3, to the last digit.
    def program(x: Any, y: Any) -> Any:
        third, seventh = 1 / 3, 1 / 7
        condition(third * x + seventh * y, 1)
        condition(7 * x + 3 * y, 21)
        return x

    analysis = privug.analyze(program, x=Normal(0, 1), y=Normal(0, 1))
    assert [seen["status"] for seen in analysis.observations] == ["used", "redundant"]


def test_contradictions_point_at_their_line() -> None:
    def program(x: Any) -> Any:
        condition(x, 1)
        condition(x + 1, 3)
        return x

    with pytest.raises(privug.ProgramError, match="P501") as error:
        privug.analyze(program, x=Normal(0, 1))
    line = program.__code__.co_firstlineno + 2
    assert error.value.diagnostics[0]["start"]["line"] == line
    assert "condition(x + 1, 3)" in str(error.value)


def test_nothing_random_and_missing_parameters_are_refused() -> None:
    with pytest.raises(privug.ProgramError, match="not random|not a random"):
        privug.analyze(lambda: 3)
    with pytest.raises(TypeError, match="P012"):
        privug.analyze(average_age)
    with pytest.raises(TypeError, match="P013"):
        privug.analyze(average_age, ages=Normal(0, 1, size=2), people=3)
    with pytest.raises(ZeroDivisionError):
        privug.analyze(lambda x: x / 0, x=Normal(0, 1))
    with pytest.raises(ValueError, match="P416"):
        privug.analyze(lambda x: x * float("nan"), x=Normal(0, 1))
    with pytest.raises(privug.ProgramError, match="P401"):
        privug.analyze(lambda: Normal(0, -1))
    with pytest.raises(TypeError, match="P414"):
        Normal(0)
    with pytest.raises(TypeError, match="P414"):
        Normal(0, 1, std=2)
    with pytest.raises(TypeError, match="prior"):
        Normal(0, 1) + 1
    with pytest.raises(RuntimeError, match="condition"):
        condition(3, 4)


def test_variables_do_not_outlive_or_leave_their_analysis() -> None:
    kept: List[Any] = []

    def keep(x: Any) -> Any:
        kept.append(x)
        return x

    privug.analyze(keep, x=Normal(0, 1))
    with pytest.raises(RuntimeError, match="has ended"):
        kept[0] + 1
    with pytest.raises(TypeError, match="two analyses"):
        privug.analyze(lambda x: x + kept[0], x=Normal(0, 1))


def test_analyses_within_analyses_are_apart() -> None:
    ages = Normal(1, 1, size=3)

    def outer(x: Any) -> Any:
        inner = privug.analyze(average_age, ages=ages, secret="ages[0]", observe=2)
        return x + float(inner.posterior.mean[0])

    assert privug.analyze(outer, x=Normal(5, 1)).prior.mean == pytest.approx([7])


def test_frames_and_series_of_random_variables_add_up() -> None:
    def program(x: Any) -> Any:
        table = pd.DataFrame({"group": ["a", "b", "a"], "income": x.tolist()})
        return [table["income"].sum(), table[table["group"] == "a"]["income"].sum()]

    assert privug.analyze(program, x=Normal([1, 2, 4], 1)).prior.mean.tolist() == [7.0, 5.0]


def test_the_example_of_the_package_is_true() -> None:
    import doctest

    assert doctest.testmod(privug).failed == 0


@pytest.mark.parametrize("name", [name for name in privug.__all__ if inspect.isfunction(getattr(privug, name))])
def test_public_functions_tell_their_parameters_and_have_examples_that_are_true(name: str) -> None:
    import doctest

    function = getattr(privug, name)
    text = inspect.getdoc(function) or ""
    assert ">>>" in text
    assert "Parameters" in text or not inspect.signature(function).parameters
    runner = doctest.DocTestRunner(verbose=False)
    for example in doctest.DocTestFinder(recurse=False).find(function, name, globs={}):
        assert runner.run(example).failed == 0


@pytest.mark.parametrize("kind", [privug.Analysis, privug.Audit, privug.Ledger, privug.Analysis.to_arviz])
def test_examples_of_results_are_true(kind: Any) -> None:
    import doctest

    if kind is privug.Analysis.to_arviz:
        pytest.importorskip("arviz")
    runner = doctest.DocTestRunner(verbose=False)
    for example in doctest.DocTestFinder(recurse=False).find(kind, "example", globs={"privug": privug}):
        assert example.examples and runner.run(example).failed == 0


def test_an_object_that_makes_an_array_of_itself_is_no_number() -> None:
    class Odd:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            made = np.empty(1, dtype=object)
            made[0] = self
            return made.reshape(())

    for function in (lambda x: x + Odd(), lambda x: Odd() + x):
        with pytest.raises(TypeError):
            privug.analyze(function, x=Normal(0, 1))
