"""What remains possible, against a dense linear program by another solver (HiGHS, through scipy)."""

from __future__ import annotations

import os
from typing import List, Optional, Tuple

import numpy as np
import pandas as pd
import pytest

import privug

scipy_optimize = pytest.importorskip("scipy.optimize")

CASES = 12 * int(os.environ.get("PRIVUG_TESTS_TIMES", "1"))

Bounds = List[Tuple[Optional[float], Optional[float]]]


def extremes(weights: np.ndarray, low: np.ndarray, high: np.ndarray, bounds: Bounds, objective: np.ndarray) -> Tuple[float, float]:
    """The smallest and the largest value of an objective; infinite where there is none."""
    a_ub = np.vstack([weights, -weights]) if len(weights) else None
    b_ub = np.concatenate([high, -low]) if len(weights) else None
    ends = []
    for sign in (1.0, -1.0):
        found = scipy_optimize.linprog(sign * objective, A_ub=a_ub, b_ub=b_ub, bounds=bounds, method="highs")
        assert found.status in (0, 3), found
        ends.append(sign * found.fun if found.status == 0 else -sign * np.inf)
    return ends[0], ends[1]


def distance(low: float, high: float, bounds: Tuple[Optional[float], Optional[float]], truth: float) -> float:
    """How near the truth a bound is that the release gives."""
    told = []
    if np.isfinite(low) and (bounds[0] is None or low > bounds[0] + 1e-7):
        told.append(truth - low)
    if np.isfinite(high) and (bounds[1] is None or high < bounds[1] - 1e-7):
        told.append(high - truth)
    return min(told, default=np.inf)


@pytest.mark.parametrize("seed", range(CASES))
def test_random_tables_with_suppressions_and_roundings_agree_with_highs(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 14))
    people = pd.DataFrame(
        {
            "a": random.choice(["x", "y", "z"], count),
            "b": random.choice(["p", "q"], count),
            "income": random.integers(0, 50, count) * float(random.choice([1, 0.25])),
        }
    )
    if people.income.nunique() <= 2:
        pytest.skip("two values are evident")
    # Some margins, the cells, and a weighted sum.
    people["hours"] = random.integers(1, 4, count)
    parts = {
        "cells": 'people.groupby(["a", "b"]).income.sum()',
        "by_a": 'people.groupby("a").income.mean()',
        "by_b": 'people.groupby("b").income.sum()',
        "all": "people.income.mean()",
        "weighted": "(people.income * people.hours).sum()",
    }
    chosen = [name for name in parts if random.random() < 0.6] or ["by_a"]
    body = ", ".join(f'"{name}": {parts[name]}' for name in chosen)
    script = f"def release(people):\n    return {{{body}}}\n"
    upper = [None, 60.0][int(random.integers(2))]
    support = "income >= 0" if upper is None else "0 <= income <= 60"
    unit = [None, 5.0][int(random.random() < 0.3)]
    plain = privug.audit(script, people=people, secret="people.income", prior="Normal(10, 9)", support=support)
    names = [name for name in plain.figures.name]
    suppressed = [name for name in names if name.startswith("cells[") and random.random() < 0.5]
    found = privug.audit(
        script, people=people, secret="people.income", prior="Normal(10, 9)", support=support, suppress=suppressed,
        round=unit,
    )  # fmt: skip

    def row(name: str) -> np.ndarray:
        table, _, key = name.partition("[")
        labels = [part.strip() for part in key.rstrip("]").split(",")]
        if table == "cells":
            return np.asarray((people.a == labels[0]) & (people.b == labels[1]), dtype=float)
        if table == "by_a":
            mask = np.asarray(people.a == labels[0], dtype=float)
            return mask / mask.sum()
        if table == "by_b":
            return np.asarray(people.b == labels[0], dtype=float)
        if table == "all":
            return np.full(count, 1 / count)
        return people.hours.to_numpy(dtype=float)

    truth = people.income.to_numpy()
    published = [name for name in names if name not in suppressed]
    weights = np.array([row(name) for name in published]).reshape(len(published), count)
    values = weights @ truth
    low, high = values.copy(), values.copy()
    if unit is not None:
        nearest = np.array([float(found.figures.set_index("name").published[name]) for name in published])
        low, high = nearest - unit / 2, nearest + unit / 2
    bounds: Bounds = [(0.0, upper)] * count
    spread = truth.std()
    for person in range(count):
        unit_vector = np.eye(count)[person]
        wanted = extremes(weights, low, high, bounds, unit_vector)
        got = found.people.iloc[person]
        assert np.allclose([got.possible_lower, got.possible_upper], wanted, atol=1e-6), (script, suppressed, unit, person)
        worst = distance(*wanted, bounds[person], truth[person])
        for other in range(count):
            if other == person:
                continue
            knows = list(bounds)
            knows[other] = (truth[other], truth[other])
            worst = min(worst, distance(*extremes(weights, low, high, knows, unit_vector), bounds[person], truth[person]))
        scale = spread if truth[person] == 0 else truth[person]
        expected = 100 * worst / scale
        assert np.isclose(got.interval_percent_contributor, expected, atol=1e-4) or (
            np.isinf(expected) and np.isinf(got.interval_percent_contributor)
        ), (script, suppressed, unit, person, expected, got)
        if abs(expected - 10) > 1e-6:
            assert ("interval_percent" in got.rules.split()) == (expected < 10) or got.fully_disclosed
    for figure in found.to_dict()["figures"]:
        if figure["status"] == "suppressed":
            wanted = extremes(weights, low, high, bounds, row(figure["name"]))
            got_range = [float(figure["possible"][end]) for end in ("lower", "upper")]
            assert np.allclose(got_range, wanted, atol=1e-6), (script, suppressed, figure)


def test_what_is_possible_is_told_in_words_and_columns() -> None:
    people = pd.DataFrame({"ward": ["A"] * 20 + ["B"] * 10, "ill": [1] * 20 + [0, 1] * 5})
    found = privug.audit(
        "def release(people):\n    return people.groupby('ward').ill.mean()\n", people=people, secret="people.ill",
        prior="Normal(0.5, std=0.5)",
    )  # fmt: skip
    assert found.verdict == "fail"
    assert "interval_percent" in {reason for reason in found.reasons.rule}
    said = found.to_dict()
    assert said["support"] == [{"secret": "people.ill", "statement": "ill in {0, 1}", "evident": True}]
    assert "is the sum of 20 secrets" in said["derivations"][0]["message"]
    assert (found.people.possible_lower[:20] == 1).all() and (found.people.possible_lower[20:] == 0).all()
    assert "What remains possible" in found.to_text() and "inferred from the column" in found.to_html()


def test_a_prior_outside_of_the_support_is_told_of_or_refused() -> None:
    people = pd.DataFrame({"income": [10.0, 20.0, 30.0, 45.0] * 5})
    script = "def release(people):\n    return people.income.mean()\n"
    options = dict(people=people, secret="people.income", prior="Normal(20, std=20)", support="income >= 0")
    found = privug.audit(script, **options)
    assert any(note.startswith("15.9 % of the prior for `people.income`") for note in found.notes), found.notes
    with pytest.raises(privug.ProgramError, match="15.9 % of the prior"):
        privug.audit(script, strict=True, **options)
    with pytest.raises(privug.ProgramError, match="which is impossible by"):
        privug.audit(script, **{**options, "support": "income >= 11"})
