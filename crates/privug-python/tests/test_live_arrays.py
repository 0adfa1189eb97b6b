"""Functions of numpy and pandas on random vectors: what is learned agrees with the weights of the same function on numbers."""

from __future__ import annotations

import math
import statistics
import warnings
from typing import Any, Callable, List

import numpy as np
import pandas as pd
import pytest

import live_corpus
import privug
from privug import Normal, _secret_array
from privug._privug import Forms

COUNT, VARIANCE = 12, 4.0
GROUPS = list("abacbaccabab")
TIME = np.arange(float(COUNT))
WEIGHTS = np.array([1.0, 2.0, 0.5, 1.5, 1.0, 2.5, 3.0, 1.0, 0.25, 4.0, 2.0, 1.0])


def in_place(xs: Any) -> Any:
    xs = np.array(xs, dtype=float)
    xs[2:5] *= 2
    xs[0] += xs[1]
    return xs[:5]


def filled(xs: Any) -> Any:
    out = np.zeros(3)
    np.add.at(out, [0, 1, 2] * 4, xs)
    return out


def regressed(xs: Any) -> Any:
    from sklearn.linear_model import LinearRegression

    return LinearRegression().fit(TIME.reshape(-1, 1), xs).coef_


def least_squares(xs: Any) -> Any:
    import statsmodels.api as sm

    return sm.OLS(xs, sm.add_constant(TIME)).fit().params


def frame(xs: Any) -> pd.DataFrame:
    return pd.DataFrame({"g": GROUPS, "h": list("xy") * 6, "w": WEIGHTS, "y": xs})


FUNCTIONS: List[Callable[[Any], Any]] = [
    lambda xs: np.polyfit(TIME, xs, 1)[0],
    lambda xs: np.linalg.lstsq(np.column_stack([np.ones(COUNT), TIME]), xs, rcond=None)[0],
    lambda xs: np.linalg.solve(np.eye(COUNT) * 2 + 1, xs)[:2],
    lambda xs: np.interp([0.25, 3.5], TIME, xs),
    lambda xs: np.gradient(xs)[:3],
    lambda xs: np.select([TIME < 3, TIME < 7], [xs, 2 * xs], 0.0).sum(),
    lambda xs: np.convolve(xs, np.ones(3) / 3, mode="valid")[0],
    lambda xs: np.correlate(xs, [1.0, 2.0, 1.0], mode="valid")[0],
    lambda xs: np.einsum("i,i->", xs, WEIGHTS),
    lambda xs: np.outer(WEIGHTS, xs).sum(axis=1)[:2],
    lambda xs: np.bincount([0, 1, 2] * 4, weights=xs),
    lambda xs: np.add.reduceat(xs, [0, 3, 7]),
    lambda xs: xs.reshape(3, 4).mean(axis=0),
    lambda xs: np.roll(xs, 2)[:3] - xs[:3],
    lambda xs: [np.mean(np.delete(xs, place)) for place in range(2)],
    lambda xs: np.nanmean(xs),
    lambda xs: np.asarray(xs, dtype=float).cumsum()[3],
    lambda xs: statistics.fmean(xs),
    lambda xs: statistics.mean(xs),
    lambda xs: math.fsum(xs),
    lambda xs: pd.Series(xs).rolling(3).mean().dropna().iloc[:2].tolist(),
    lambda xs: pd.Series(xs).expanding().mean().iloc[3],
    lambda xs: frame(xs).groupby("g").y.mean(),
    lambda xs: frame(xs).groupby("g").agg(mean=("y", "mean"), total=("y", "sum")),
    lambda xs: frame(xs).pivot_table(index="g", columns="h", values="y", aggfunc="sum", fill_value=0),
    lambda xs: frame(xs).assign(z=lambda table: table.y * table.w).groupby("h").z.sum(),
    lambda xs: frame(xs).groupby("g").apply(lambda group: np.average(group.y, weights=group.w), include_groups=False),
    in_place,
    filled,
    regressed,
    least_squares,
]


def numbers(value: Any) -> List[float]:
    if isinstance(value, pd.DataFrame):
        return value.to_numpy(dtype=float).ravel().tolist()
    return np.ravel(np.asarray(value, dtype=float)).tolist()


def variance_left(function: Callable[[Any], Any]) -> float:
    """Of the first element, by the function's weights on numbers and the textbook formula."""
    base = np.array(numbers(function(np.zeros(COUNT))))
    weights = np.array([np.array(numbers(function(row))) - base for row in np.eye(COUNT)]).T
    covariance = VARIANCE * weights @ weights.T
    explained = VARIANCE * weights[:, 0]
    return VARIANCE - float(explained @ np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ explained)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_learned_follows_from_the_weights(function: Callable[[Any], Any]) -> None:
    found = privug.analyze(function, xs=Normal(35, VARIANCE, size=COUNT), secret="xs[0]")
    assert found.leakage["posterior_variance"] == pytest.approx(variance_left(function), abs=1e-8)


def test_values_that_were_seen_and_variables_of_the_function_are_known() -> None:
    def smoothed(xs: Any) -> Any:
        total = np.einsum("i->", xs)
        return np.convolve(xs, [0.5, 0.5], mode="valid")[0], total

    found = privug.analyze(smoothed, xs=Normal(0, 1, size=3), secret="xs[0]", observe=(1.0, 2.0))
    # Given x₀ + x₁ = 2 the mean is 1, and x₂ = 0 tells nothing more.
    assert (float(found.posterior.mean[0]), float(found.posterior.var[0])) == pytest.approx((1.0, 0.5))
    found = privug.analyze(smoothed, xs=Normal(0, 1, size=3), secret="total")
    assert found.leakage["posterior_variance"] == pytest.approx(0.0)


def test_several_arguments_and_lists_of_variables_are_taken() -> None:
    def difference(before: Any, after: Any, base: float) -> Any:
        return np.convolve(after, [1.0], mode="same")[0] - np.asarray(before, dtype=float)[0] + base

    found = privug.analyze(difference, before=[Normal(0, 1), Normal(0, 1)], after=Normal(0, 3, size=2), base=5.0, secret="before[0]")
    assert found.leakage["posterior_variance"] == pytest.approx(0.75)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda xs: np.median(xs), "P3"),
        (lambda xs: np.sort(xs)[0], "P3|P8"),
        (lambda xs: pd.Series(xs).median(), "P3|P8"),
        (lambda xs: pd.Series(xs).std(), "P306"),
        (lambda xs: frame(xs).sort_values("y").w.iloc[0], "P3|P8"),
        (lambda xs: np.histogram(xs)[0], "P3|P8"),
        (lambda xs: np.fft.fft(xs)[0], "P"),
    ],
)
def test_what_is_not_linear_is_refused_with_its_reason(function: Callable[[Any], Any], code: str) -> None:
    with pytest.raises(Exception, match=code) as caught:
        privug.analyze(function, xs=Normal(35, VARIANCE, size=COUNT), secret="xs[0]")
    assert isinstance(caught.value, (privug.ProgramError, privug.NotGaussianError, TypeError, ValueError))


@pytest.mark.filterwarnings("ignore")
def test_functions_of_the_corpus_are_analysed() -> None:
    folder = live_corpus.CORPUS / "functions"
    if not folder.exists():
        pytest.skip("there is no corpus beside the repository")
    warnings.simplefilter("ignore")
    for name in ("moving_average_convolve", "reduceat", "nanmean", "pd_rolling", "pd_series_mean", "inplace"):
        function = live_corpus.load(folder / f"{name}.py").f
        found = privug.analyze(function, x=Normal(35, VARIANCE, size=COUNT), secret="x[0]")
        assert found.leakage["posterior_variance"] == pytest.approx(variance_left(function), abs=1e-8), name


KEPT: List[Any] = []


def keeps_an_element(xs: Any) -> Any:
    KEPT.append(xs[0])
    return np.convolve(xs[1:], [1.0])[0]


def keeps_a_column(xs: Any) -> Any:
    column = pd.Series(xs)
    KEPT.append(column)
    return column.iloc[1:].rolling(2).mean().iloc[-1]


def keeps_an_attribute(xs: Any) -> Any:
    keeps_an_attribute.kept = np.convolve(xs, [1.0])[0]  # type: ignore[attr-defined]
    return np.convolve(xs, [1.0])[1]


def sees_a_value(xs: Any) -> Any:
    privug.condition(xs[0], 3.0)
    return np.convolve(xs, [1.0])[1]


def catches(xs: Any) -> Any:
    smoothed = np.convolve(xs, [1.0])
    try:
        value = int(smoothed[0])
    except Exception:
        value = 0.0
    return smoothed[1] + value


def prints(xs: Any) -> Any:
    smoothed = np.convolve(xs, [1.0])
    print(smoothed[0])
    return smoothed[1]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", [keeps_an_element, keeps_a_column, keeps_an_attribute, sees_a_value, catches, prints])
def test_a_gate_does_not_pass_what_leaves_by_another_way(function: Callable[[Any], Any]) -> None:
    with pytest.raises(Exception):  # noqa: B017 - whichever of the two ways refuses
        privug.analyze(function, xs=Normal(50, std=10, size=4), secret="xs[0]", require="mutual_information_bits <= 0.1")
    KEPT.clear()
    vars(keeps_an_attribute).clear()


def test_a_function_of_very_many_secrets_is_refused_before_it_is_called() -> None:
    many = _secret_array.SecretArray(Forms.of_secrets(np.arange(_secret_array.MAX_COLUMNS + 1)), (_secret_array.MAX_COLUMNS + 1,), "x")

    def never(values: Any) -> Any:
        raise AssertionError("what it makes of so many elements may not fit into memory")

    with pytest.raises(privug.NotGaussianError, match="P603"):
        _secret_array.by_matrix(never, many)


def test_windows_that_have_too_many_rows_together_are_refused() -> None:
    def release(people: Any) -> Any:
        return people["income"].expanding().mean().iloc[-1]

    people = pd.DataFrame({"income": np.arange(20_000.0)})
    with pytest.raises(privug.ProgramError, match="P603"):
        privug.audit(release, people=people, secret="people.income", prior="Normal(1, std=1)")


def test_libraries_that_inherit_from_poly1d_can_be_imported_while_a_function_runs() -> None:
    def release(people: Any) -> Any:
        class Orthogonal(np.poly1d):  # As `scipy.special` has it.
            pass

        assert isinstance(np.poly1d([1.0, 2.0]), np.poly1d) and Orthogonal([1.0, 2.0])(3.0) == 5.0
        return np.poly1d(np.poly1d(np.polyfit(people.age, people.income, 1)))(40.0)

    people = pd.DataFrame({"age": np.arange(20.0, 60.0), "income": np.arange(40.0) ** 1.5})
    found = privug.audit(release, people=people, secret="people.income", prior="Normal(mean=100, std=70)")
    expected = np.poly1d(np.polyfit(people.age, people.income, 1))(40.0)
    assert found.figures.value.tolist() == pytest.approx([expected])
    assert isinstance(np.poly1d([1.0]), np.poly1d) and np.poly1d([1.0, 2.0])(3.0) == 5.0
