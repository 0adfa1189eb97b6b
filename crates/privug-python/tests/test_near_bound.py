"""Figures near a bound of the data, against going through everybody; booleans; and who is behind a difference."""

from __future__ import annotations

from typing import Optional

import numpy as np
import pandas as pd
import pytest

import privug

OFF = {rule: "off" for rule in ("minimum_frequency", "dominance", "p_percent", "same_value")}


def verdict_of(column: np.ndarray, values: np.ndarray, weights: np.ndarray) -> Optional[str]:
    """What the rule says: nobody else can be farther from a bound than what the others leave, for whoever has most."""
    worst = None
    for side in (1, -1):
        distance = column - column.min() if side == 1 else column.max() - column
        own = np.where(weights > 0, values - column.min(), column.max() - values)
        own = own if side == 1 else np.where(weights > 0, column.max() - values, values - column.min())
        parts = np.abs(weights) * own
        for person, weight in enumerate(weights):
            others = np.delete(parts, person)
            width = (parts.sum() - others.max()) / abs(weight)
            away = distance if weight > 0 else (column.max() - column if side == 1 else column - column.min())
            share = np.mean(away <= width + 1e-9)
            if width < 0.5 * column.std() - 1e-9 and share < 0.75:
                worst = "fail" if share < 0.5 or worst == "fail" else "review"
    return worst


@pytest.mark.parametrize("seed", range(80))
def test_random_groups_and_weights_are_judged_as_by_going_through_everybody(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(12, 60))
    column = random.choice([random.lognormal(3, 1.5, count).round(1), random.integers(0, 6, count) * 1.0, random.normal(0, 50, count).round()])
    weights = random.choice([np.ones(count), random.integers(1, 4, count) * 1.0, random.choice([-1.0, 1.0], count)])
    # Often those at one end.
    order = np.argsort(column) if random.random() < 0.7 else random.permutation(count)
    some = (order if random.random() < 0.5 else order[::-1])[: int(random.integers(3, 10))]
    if random.random() < 0.5:
        some = np.append(some, random.choice(np.setdiff1d(np.arange(count), some)))
    people = pd.DataFrame({"x": column, "w": weights, "some": np.isin(np.arange(count), some)})
    script = "def release(people):\n    s = people[people.some]\n    return {'total': (s.x * s.w).sum()}\n"
    found = privug.audit(script, people=people, secret="people.x", prior="Normal(mean=10, std=50)", rules=OFF)
    values, own = column[np.sort(some)], weights[np.sort(some)]
    ends = [np.where(own > 0, column.min(), column.max()), np.where(own > 0, column.max(), column.min())]
    is_same = len(set(values)) == 1 and len(set(own > 0)) == 1
    if is_same or any((values == end).all() for end in ends):
        return  # `same_value` judges these
    expected = verdict_of(column, values, own)
    rules = {rule["rule"]: rule["verdict"] for rule in found.to_dict()["figures"][0]["rules"]}
    assert rules.get("near_bound") == expected, (values, own, sorted(column))


def test_booleans_are_zero_and_one_to_a_gaussian_prior() -> None:
    people = pd.DataFrame({"ward": ["A"] * 20 + ["B"] * 10, "ill": [True] * 20 + [False, True] * 5})
    script = "def release(people):\n    return people.groupby('ward').ill.mean()\n"
    options = dict(people=people, secret="people.ill", prior="Normal(mean=0.5, std=0.5)")
    found = privug.audit(script, **options)
    numbers = privug.audit(script, **{**options, "people": people.assign(ill=people.ill.astype(int))})
    assert found.verdict == "fail" and found.to_dict()["support"][0]["statement"] == "ill in {0, 1}"
    assert found.to_dict()["people"] == numbers.to_dict()["people"]
    # Outside 0 and 1 lies what is more than one standard deviation from the mean.
    assert any(note.startswith("31.7 % of the prior for `people.ill` lies beyond") for note in found.notes), found.notes
    assert any("Categorical(ill.value_counts(normalize=True))" in note for note in found.notes)
    with pytest.raises(privug.ProgramError, match="31.7 % of the prior"):
        privug.audit(script, strict=True, **options)


def test_a_difference_names_its_people_everywhere() -> None:
    people = pd.DataFrame({"name": [f"p{row}" for row in range(40)], "x": np.arange(40.0) + 100})
    script = "def release(people):\n    return {'all': people.x.sum(), 'most': people.iloc[4:].x.sum()}\n"
    found = privug.audit(script, people=people, secret="people.x", person="name", prior="Normal(mean=120, std=12)")
    reason = found.reasons[found.reasons.rule == "differencing"].iloc[0]
    assert reason.people == ["p0", "p1", "p2", "p3"] and "4 people (p0, p1, p2, p3)" in reason.message
    assert "4 people (p0, p1, p2, p3)" in found.to_text() and "4 people (p0, p1, p2, p3)" in found.to_html()
    # The page says under "Who is at risk" what figures tell of people whom no rule about people finds.
    assert "an amount about them alone follows from" in found.to_html()
