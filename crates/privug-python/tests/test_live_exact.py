"""Weights of least squares: whole numbers over a divisor where they fit, and refused where their last digits would decide."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, List

import numpy as np
import pandas as pd
import pytest

import privug
from privug import _exact

OFF = {"minimum_frequency": "off", "dominance": "off", "p_percent": "off", "relative_std": "off", "near_truth": "off"}


def by_fractions(matrix: List[List[Fraction]]) -> List[List[Fraction]]:
    """The inverse, by Gauss and Jordan in fractions."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(place == column)) for column in range(size))] for place, row in enumerate(matrix)]
    for pivot in range(size):
        swap = next(row for row in range(pivot, size) if rows[row][pivot])
        rows[pivot], rows[swap] = rows[swap], rows[pivot]
        rows[pivot] = [each / rows[pivot][pivot] for each in rows[pivot]]
        for row in range(size):
            if row != pivot:
                rows[row] = [one - rows[row][pivot] * other for one, other in zip(rows[row], rows[pivot])]
    return [row[size:] for row in rows]


@pytest.mark.parametrize("seed", range(12))
def test_weights_of_least_squares_are_those_of_fractions(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size, width = int(generator.integers(4, 30)), int(generator.integers(1, 4))
    matrix = np.column_stack([np.ones(size), generator.integers(-20, 60, (size, width)) / [1.0, 10.0, 4.0][seed % 3]])
    weights = generator.integers(1, 9, size) / 2.0
    found = _exact.least_squares(matrix, matrix.shape[1], weights)
    if found is None:
        assert np.linalg.matrix_rank(matrix) < matrix.shape[1]
        return
    # A double stands for the decimal that it is written as.
    rows = [[Fraction(repr(float(each))) for each in row] for row in matrix]
    own = [Fraction(float(each)) for each in weights]
    gram = [[sum((w * r[a] * r[b] for w, r in zip(own, rows)), Fraction(0)) for b in range(len(rows[0]))] for a in range(len(rows[0]))]
    wanted = by_fractions(gram)
    for row, (numerators, divisor) in zip(wanted, found):
        exact = [w * sum((one * other for one, other in zip(row, each)), Fraction(0)) for w, each in zip(own, rows)]
        assert [Fraction(float(each)) / divisor for each in numerators] == exact


@pytest.mark.parametrize("seed", range(6))
def test_weights_of_covariances_are_those_of_fractions(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values, weights = generator.integers(0, 500, 17) / 10.0, generator.integers(1, 5, 17).astype(float)
    found = _exact.centred(values, weights, 1.0)
    assert found is not None
    exact, own = [Fraction(repr(float(each))) for each in values], [Fraction(int(each)) for each in weights]
    middle = sum((w * x for w, x in zip(own, exact)), Fraction(0)) / sum(own)
    wanted = [w * (x - middle) / (sum(own) - 1) for w, x in zip(own, exact)]
    assert [Fraction(float(each)) / found[1] for each in found[0]] == wanted


def test_numbers_that_are_not_short_decimals_are_not_taken_for_whole() -> None:
    assert _exact.whole(np.array([1 / 3])) is None and _exact.whole(np.array([np.nan])) is None
    assert _exact.whole(np.array([2.0**40])) is None
    assert _exact.least_squares(np.ones((5, 2)), 2) is None


@pytest.mark.parametrize("seed", range(12))
def test_columns_that_depend_on_each_other_have_the_smallest_coefficients(seed: int) -> None:
    generator = np.random.default_rng(seed)
    size = int(generator.integers(5, 20))
    free = np.column_stack([np.ones(size), generator.integers(-9, 30, size) / 10.0, generator.integers(0, 4, size)])
    mixed = [free[:, 1], free[:, 1] + 2.0 * free[:, 2], free[:, 0] - free[:, 2], np.zeros(size)]
    matrix = np.column_stack([free, *(mixed[int(place)] for place in generator.integers(0, 4, 2))])
    found = _exact.least_squares(matrix, int(np.linalg.matrix_rank(matrix)))
    assert found is not None
    inverse = np.array([[Fraction(float(each)) / divisor for each in numerators] for numerators, divisor in found])
    exact = np.array([[Fraction(repr(float(each))) for each in row] for row in matrix])
    # The four equations of Penrose, which only one matrix solves.
    assert (exact @ inverse @ exact == exact).all() and (inverse @ exact @ inverse == inverse).all()
    assert (exact @ inverse == (exact @ inverse).T).all() and (inverse @ exact == (inverse @ exact).T).all()
    assert np.allclose(inverse.astype(float), np.linalg.pinv(matrix), atol=1e-12)


def people() -> pd.DataFrame:
    generator = np.random.default_rng(4)
    size = 60
    frame = pd.DataFrame({"sex": generator.choice(["f", "m"], size), "age": generator.integers(20, 60, size)})
    return frame.assign(male=(frame["sex"] == "m").astype(float), income=generator.normal(300, 40, size).round())


def status(release: Any) -> Any:
    found = privug.audit(release, people=people(), secret="people.income", prior="Normal(300, std=40)", rules=OFF)
    return found, found.figures["status"].tolist()


def test_coefficients_that_say_what_means_say_are_redundant_for_certain() -> None:
    sm = pytest.importorskip("statsmodels.api")
    linear_model = pytest.importorskip("sklearn.linear_model")

    def fits(people: Any) -> Any:
        model = linear_model.LinearRegression().fit(people[["male"]], people["income"])
        beta = np.linalg.lstsq(sm.add_constant(people[["male"]]).to_numpy(), people["income"].to_numpy(), rcond=None)[0]
        return [
            people.groupby("sex")["income"].mean().tolist(),
            sm.OLS(people["income"], sm.add_constant(people[["male"]])).fit().params.tolist(),
            [model.intercept_, model.coef_[0]],
            beta,
            np.polyfit(people["male"], people["income"], 1),
            people["income"].cov(people["male"]),
        ]

    found, states = status(fits)
    means, _ = status(lambda people: people.groupby("sex")["income"].mean())
    assert states == ["used"] * 2 + ["redundant"] * 9
    # Saying it again tells nothing more.
    pd.testing.assert_series_equal(found.people["posterior_variance"], means.people["posterior_variance"])


def test_figures_that_differ_in_the_last_digits_of_their_weights_are_not_taken_at_their_word() -> None:
    def slopes(people: Any) -> Any:
        slope = np.polyfit(people["age"], people["income"], 1)[0]
        return slope, people["income"].cov(people["age"]) / people["age"].var()

    with pytest.raises(privug.ProgramError, match="P504"):
        status(slopes)


def test_a_table_that_is_published_twice_is_the_same_table() -> None:
    def twice(people: Any) -> Any:
        share = people["income"].cov(people["age"]) / people["age"].var()
        return share, share

    found, states = status(twice)
    assert states == ["used"] and any("second time" in note for note in found.notes)


def weighted(people: Any) -> Any:
    """Incomes over chances of being in the sample, which have as many digits as a double has."""
    return people["income"] / (0.1 + 0.8 * np.sin(people["age"]) ** 2)


def test_a_weighted_total_and_those_of_its_groups_follow_from_each_other_digit_by_digit() -> None:
    found, states = status(lambda people: [*weighted(people).groupby(people["sex"]).sum(), weighted(people).sum(), weighted(people).mean()])
    assert states.count("redundant") == 2 and states.count("used") == 2
    groups, _ = status(lambda people: weighted(people).groupby(people["sex"]).sum().tolist())
    # The last digits of the weights stand otherwise where a mean is divided by what no double is.
    np.testing.assert_allclose(found.people["posterior_variance"], groups.people["posterior_variance"], rtol=1e-12)


def test_a_weighted_total_with_and_without_somebody_discloses_them() -> None:
    found, _ = status(lambda people: [weighted(people).sum(), weighted(people)[1:].sum()])
    assert found.verdict == "fail" and found.people["fully_disclosed"].tolist().index(True) == 0


def test_a_prediction_beside_all_coefficients_is_refused_where_last_digits_decide() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    generator = np.random.default_rng(5)
    frame = pd.DataFrame({"x": generator.normal(size=80), "z": generator.normal(size=80), "income": generator.normal(300, 40, 80)})

    def release(people: Any) -> Any:
        model = linear.LinearRegression().fit(people[["x", "z"]], people["income"])
        at = model.predict(pd.DataFrame({"x": [0.3], "z": [0.7]}))
        return [*model.coef_, model.intercept_, at[0]]

    with pytest.raises(privug.ProgramError, match="P504"):
        privug.audit(release, people=frame, secret="people.income", prior="Normal(300, std=40)", rules=OFF)
