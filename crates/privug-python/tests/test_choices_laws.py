"""Mixtures, cut off distributions and secrets that are partly discrete: functions of numbers against numerical integration."""

from __future__ import annotations

import math
from typing import Any, Dict, List

import numpy as np
import pytest
from scipy import integrate, optimize

import privug

HEAD = "from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, Normal, condition\n"
MIXTURE = HEAD + "def f():\n    x = Normal(10, 4) if Bernoulli(0.3) else Normal(0, 1)\n    return x\n"
CUT = HEAD + "def f():\n    x = Normal(50, 100)\n    condition(x > 60)\n    condition(x < 75)\n    return x\n"
PARTLY = HEAD + "def f():\n    x = Normal(10, 4) if Bernoulli(0.25) else 2\n    return x\n"
BANDS = HEAD + "def f():\n    x = Normal(0, 1)\n    band = 2 if x > 1 else (1 if x > -1 else 0)\n    condition(band != 1)\n    return x\n"
TAIL = HEAD + "def f():\n    x = Normal(0, 1)\n    condition(x > 9)\n    return x\n"
DENSITIES = [MIXTURE, CUT, BANDS, TAIL]


def density(components: List[Dict[str, Any]], x: float) -> float:
    """The density as the textbook writes it, each piece divided by an integral over itself."""
    total = 0.0
    for part in components:
        low, high = part.get("above", -math.inf), part.get("up_to", math.inf)
        mean, std = part["mean"], math.sqrt(part["variance"])
        shape = lambda t: math.exp(-0.5 * ((t - mean) / std) ** 2)  # noqa: B023, E731
        ends = (max(low, mean - 12 * std), min(high, max(mean, low) + 12 * std))
        # Near the end that it is cut off at, everything is.
        points = [end + sign * std * step for end, sign in ((low, 1), (high, -1)) if math.isfinite(end) for step in (0.1, 1.0)]
        whole = integrate.quad(shape, *ends, points=[p for p in points if ends[0] < p < ends[1]] or None, limit=400, epsabs=0.0)[0]
        if low < x <= high:
            total += part["weight"] * shape(x) / whole
    return total


@pytest.mark.parametrize("source", DENSITIES)
def test_densities_and_probabilities_are_those_of_numerical_integration(source: str) -> None:
    known = privug.analyze(source=source).posterior
    parts = known.components
    low, high = known.quantile(1e-9), known.quantile(1 - 1e-9)
    breaks = sorted({end for part in parts for end in (part.get("above", low), part.get("up_to", high)) if low < end < high})
    for x in np.linspace(low, high, 9)[1:-1].tolist():
        assert known.pdf(x) == pytest.approx(density(parts, x), rel=1e-8)
        inside = [each for each in breaks if each < x]
        below = integrate.quad(lambda t: density(parts, t), low, x, points=inside or None, limit=200)[0]
        assert known.cdf(x) == pytest.approx(below, abs=3e-7)
        assert known.prob(f"x <= {x!r}") == pytest.approx(known.cdf(x), rel=1e-12)
        assert known.prob(f"not x < {x!r}") == pytest.approx(1 - known.cdf(x), abs=1e-12)
    mean = integrate.quad(lambda t: t * density(parts, t), low, high, points=breaks or None, limit=200)[0]
    square = integrate.quad(lambda t: (t - mean) ** 2 * density(parts, t), low, high, points=breaks or None, limit=200)[0]
    assert known.mean[0] == pytest.approx(mean, abs=1e-5)
    assert known.std[0] == pytest.approx(math.sqrt(square), rel=1e-5)


@pytest.mark.parametrize("source", DENSITIES)
def test_quantiles_are_roots_and_intervals_lie_between_them(source: str) -> None:
    found = privug.analyze(source=source, level=0.9)
    known = found.posterior
    for p in (0.001, 0.1, 0.5, 0.77, 0.999):
        at = known.quantile(p)
        assert known.cdf(at) == pytest.approx(p, abs=1e-12)
        root = optimize.brentq(lambda t: known.cdf(t) - p, at - 1.0, at + 1.0, xtol=1e-13) if known.cdf(at - 1.0) < p else at
        assert known.cdf(root) == pytest.approx(p, abs=1e-9)
    assert list(known.interval(0.9)) == pytest.approx([known.quantile(0.05), known.quantile(0.95)])
    told = found.to_dict()["leakage"][0]["credible_interval"]["posterior"]
    assert list(known.interval(0.9)) == pytest.approx(told, rel=1e-9)


def test_single_values_among_a_density_jump() -> None:
    known = privug.analyze(source=PARTLY).posterior
    below = 0.25 * 0.5 * math.erfc((10 - 2) / 2 / math.sqrt(2))
    assert known.cdf(2) - known.cdf(math.nextafter(2, 0)) == pytest.approx(0.75)
    assert known.cdf(1.999999) == pytest.approx(below, rel=1e-5)
    assert known.prob("x == 2") == 0.75
    assert known.prob("x != 2") == pytest.approx(0.25)
    assert known.prob("2 < x") == pytest.approx(0.25 - below)
    assert known.prob("x < 10 or x == 12") == pytest.approx(0.75 + 0.125)
    assert known.quantile(0.5) == pytest.approx(2.0, abs=1e-12)
    assert known.mean[0] == pytest.approx(0.75 * 2 + 0.25 * 10)
    assert known.var[0] == pytest.approx(0.25 * 4 + 0.75 * 0.25 * 64)
    with pytest.raises(ValueError, match="no density"):
        known.pdf(3.0)
    with pytest.raises(ValueError, match="mixture"):
        known.pmf  # noqa: B018


def test_values_have_cumulative_probabilities_and_quantiles() -> None:
    known = privug.analyze(source=HEAD + "def f():\n    return Binomial(4, 0.5)\n").posterior
    assert list(known.cdf([-1, 0, 1.5, 4])) == pytest.approx([0, 1 / 16, 5 / 16, 1])
    assert list(known.quantile([0, 0.0625, 0.0626, 0.5, 1])) == [0, 0, 1, 2, 4]
    assert list(known.interval(0.5)) == [1, 3]
    with pytest.raises(ValueError, match="no density"):
        known.pdf(1)
    words = privug.analyze(source=HEAD + "def f():\n    return Categorical({'a': 0.5, 'b': 0.5})\n").posterior
    for function in (words.cdf, words.quantile):
        with pytest.raises(ValueError, match="not a number"):
            function(0.5)
    assert math.isnan(words.mean[0])


def test_many_values_that_nothing_tells_apart_are_counted() -> None:
    source = HEAD + "def f():\n    x = DiscreteUniform(0, 10**7)\n    condition(x > 2_000_000)\n    return x\n"
    known = privug.analyze(source=source).posterior
    assert known.cdf(2_000_000) == 0.0
    assert known.cdf(6_000_000) == pytest.approx(0.5)
    assert known.quantile(0.5) == 6_000_000
    assert known.quantile(0.0) == 2_000_001


def test_several_secrets_have_a_place_each() -> None:
    source = HEAD + "def f():\n    x = Normal(10, 4) if Bernoulli(0.3) else Normal(0, 1)\n    n = DiscreteUniform(1, 4)\n    return [x, n]\n"
    known = privug.analyze(source=source).posterior
    assert known.cdf(2.0).shape == (2,)
    assert known.cdf([1.0, 2.0, 3.0]).shape == (3, 2)
    assert known.cdf(2.0)[1] == 0.5
    assert known.interval().shape == (2, 2)
    assert known[1].quantile(0.5) == 2


@pytest.mark.parametrize("source", [*DENSITIES, PARTLY])
def test_draws_follow_the_law(source: str) -> None:
    known = privug.analyze(source=source).posterior
    draws = np.array(known.sample(4000, seed=3))
    for p in (0.1, 0.5, 0.9):
        at = known.quantile(p)
        share = float(np.mean(draws <= at + 1e-12 * max(abs(at), 1.0)))
        assert share == pytest.approx(known.cdf(at), abs=0.03)


def test_what_no_law_can_answer_is_said() -> None:
    known = privug.analyze(source=MIXTURE).posterior
    for event in ("x * x > 3", "x in (1, 2)", "x"):
        with pytest.raises(ValueError, match="P701"):
            known.prob(event)
    with pytest.raises(ValueError, match="P707"):
        known.interval(1.0)
    assert math.isnan(known.quantile(2.0))


def test_comparisons_have_both_ends_of_what_is_only_bounded() -> None:
    source = HEAD + "def f(noise):\n    x = Normal(10, 4) if Bernoulli(0.3) else Normal(0, 1)\n    a = x + Normal(0, noise)\n    b = x + Normal(0, noise)\n    return a, b\n"
    found = [privug.analyze(source=source, noise=noise, secret="x") for noise in (1, 9)]
    table = privug.compare(*found, measure="mutual_information_bits")
    assert all(table["mutual_information_bits_low"] < table["mutual_information_bits"])
    exact = privug.analyze(source=HEAD + "def f():\n    x = Bernoulli(0.5)\n    return x\n", secret="x")
    assert "mutual_information_bits_low" not in privug.compare(exact, measure="mutual_information_bits")


def entropy_bits(parts: List[Any]) -> float:
    """The differential entropy of a mixture of (weight, mean, variance)."""
    log = lambda t: math.log(math.fsum(w / math.sqrt(2 * math.pi * v) * math.exp(-((t - m) ** 2) / (2 * v)) for w, m, v in parts))  # noqa: E731
    ends = [m + sign * 9 * math.sqrt(v) for _, m, v in parts for sign in (-1, 1)]
    inside = [m for _, m, _ in parts]
    return integrate.quad(lambda t: -math.exp(log(t)) * log(t), min(ends), max(ends), points=inside, limit=300)[0] / math.log(2)


def test_each_output_with_a_density_is_told_alone_and_added() -> None:
    source = HEAD + (
        "def f():\n    m = Bernoulli(0.25)\n    x = Normal(6, 4) if m else Normal(0, 1)\n"
        "    a = x + Normal(0, 2)\n    b = x + Normal(0, 8)\n    c = m if Bernoulli(0.75) else Bernoulli(0.5)\n    return a, b, c\n"
    )
    noise_bits = lambda variance: 0.5 * math.log2(2 * math.pi * math.e * variance)  # noqa: E731
    known = privug.analyze(source=source, secret="x").to_dict()["leakage"][0]
    told = known["outputs"]
    assert [each["output"] for each in told] == ["a", "b", "c"]

    def ends(entry: Dict[str, Any], name: str) -> Any:
        value = entry[f"mutual_information_{name}_bits"]
        return entry.get(f"mutual_information_{name}_bounds", [value, value])

    for entry, variance in zip(told, (2, 8)):
        # x and the noise are independent: I(x; x + noise) = h(x + noise) − h(noise).
        wanted = entropy_bits([(0.25, 6, 4 + variance), (0.75, 0, 1 + variance)]) - noise_bits(variance)
        low, high = ends(entry, "alone")
        assert low - 1e-9 <= wanted <= high + 1e-9
        assert high - low < 1e-3
    assert ends(told[0], "added") == ends(told[0], "alone")
    low, high = ends(told[1], "added")
    assert 0 <= low <= high
    # All of them together lie between the sums of the ends.
    total = known["methods"]["mutual_information_bits"]
    assert math.fsum(ends(each, "added")[1] for each in told) >= total["low"] - 1e-9
    secret = privug.analyze(source=source, secret="m").to_dict()["leakage"][0]["outputs"]
    for entry, variance in zip(secret, (2, 8)):
        mixed = entropy_bits([(0.25, 6, 4 + variance), (0.75, 0, 1 + variance)])
        wanted = mixed - 0.25 * noise_bits(4 + variance) - 0.75 * noise_bits(1 + variance)
        low, high = ends(entry, "alone")
        assert low - 1e-9 <= wanted <= high + 1e-9
        assert high - low < 1e-3
    # c tells m as randomized response does: it is m with probability 7/8.
    joint = [[0.75 * 0.875, 0.75 * 0.125], [0.25 * 0.125, 0.25 * 0.875]]
    columns = [sum(row[k] for row in joint) for k in range(2)]
    bits = sum(p * math.log2(p / (sum(row) * columns[k])) for row in joint for k, p in enumerate(row))
    low, high = ends(secret[2], "alone")
    assert low - 1e-9 <= bits <= high + 1e-9
