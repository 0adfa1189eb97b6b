"""Random linked releases of amounts: whatever passes leaves no amount about few people to whoever can add and subtract.

The oracle runs each release with pandas on one group of people after the other, which gives the figures as rows of a matrix, and
asks numpy whether anything about a small set of people alone, with whatever weights, lies in the space of these rows.
"""

from __future__ import annotations

import itertools
from typing import Any, Dict, List

import numpy as np
import pandas as pd
import pytest

import privug

TABLES = [
    "people.x.sum()",
    "people.x.mean()",
    'people.groupby("region").x.sum()',
    'people.groupby("sex").x.mean()',
    'people.groupby("age").x.sum()',
    'people.groupby(["region", "sex"]).x.sum()',
    'people.groupby(["age", "sex"]).x.mean()',
    'people[people.region != "C"].x.sum()',
    'people[people.age != "old"].groupby("region").x.sum()',
    'people[people.region != "A"].x.sum()',
    'people[people.region != "B"].x.mean()',
    'people[(people.region == "A") | (people.sex == "f")].x.sum()',
    'people[(people.region == "A") | (people.age == "old")].x.sum()',
    'people[(people.age == "old") | (people.sex == "f")].x.sum()',
    'people[people.region == "B"].groupby("age").x.mean()',
    'people[(people.region == "C") | (people.age == "young")].x.sum()',
    'people[(people.region == "A") != (people.age == "old")].x.sum()',
    'people[people.sex == "f"].x.sum() - people[people.region == "B"].x.sum()',
    '(people.x * ((people.age == "old") * 2 + 1)).sum()',
]
KEYS = ["region", "sex", "age"]
LIMIT = 10


def people_of(random: np.random.Generator) -> pd.DataFrame:
    count = int(random.integers(60, 300))
    return pd.DataFrame(
        {
            "region": random.choice(list("ABC"), count, p=[0.5, 0.42, 0.08]),
            "sex": random.choice(["f", "m"], count),
            "age": random.choice(["young", "middle", "old"], count, p=[0.45, 0.4, 0.15]),
            "x": random.integers(400, 700, count).astype(float),
        }
    )


def numbers(published: Dict[str, Any]) -> np.ndarray:
    parts = [np.atleast_1d(np.nan_to_num(np.asarray(part, dtype=float))) for part in published.values()]
    return np.concatenate(parts)


def small_sets_that_follow(text: str, people: pd.DataFrame) -> List[int]:
    """How many people are in each set of fewer than ten about whom something follows, of one to four kinds of people."""
    scope: Dict[str, Any] = {}
    exec(text, scope)
    kinds, kind_of = np.unique(people[KEYS].agg("|".join, axis=1), return_inverse=True)
    sizes = np.bincount(kind_of)
    rows = [numbers(scope["release"](people.assign(x=(kind_of == kind) / sizes[kind]))) for kind in range(len(kinds))]
    atoms: Dict[tuple, int] = {}
    for row, size in zip(rows, sizes):
        key = tuple(np.round(row, 9))
        if any(key):
            atoms[key] = atoms.get(key, 0) + int(size)
    matrix, people_in = np.array(list(atoms)).T, np.array(list(atoms.values()))
    _, singular, rotated = np.linalg.svd(matrix, full_matrices=False)
    basis = rotated[singular > 1e-9 * singular.max()]
    unknown = np.eye(len(people_in)) - basis.T @ basis
    few = [atom for atom in range(len(people_in)) if people_in[atom] < LIMIT]
    found = []
    for count in range(1, 5):
        for chosen in itertools.combinations(few, count):
            together = int(people_in[list(chosen)].sum())
            if together < LIMIT and np.linalg.svd(unknown[:, list(chosen)], compute_uv=False)[-1] < 1e-8:
                found.append(together)
    return found


def audited(text: str, people: pd.DataFrame) -> str:
    found = privug.audit(text, people=people, secret="people.x", prior="Normal(550, std=90)", rules={"near_truth": "off"})
    return found.verdict


@pytest.mark.parametrize("seed", range(60))
def test_no_release_passes_that_gives_a_small_total_away(seed: int) -> None:
    random = np.random.default_rng(seed)
    people = people_of(random)
    chosen = random.choice(len(TABLES), int(random.integers(1, 6)), replace=False)
    parts = ", ".join(f'"t{place}": {TABLES[place]}' for place in chosen)
    text = f"def release(people):\n    return {{{parts}}}\n"
    verdict, small = audited(text, people), small_sets_that_follow(text, people)
    assert verdict != "pass" or not small, (text, small)


def test_three_totals_of_which_each_two_overlap_tell_the_small_one() -> None:
    regions = ["A"] * 5 + ["B"] * 40 + ["C"] * 40
    people = pd.DataFrame({"region": regions, "sex": "f", "age": "old", "x": np.arange(85.0) + 500})
    pairs = [f'"{out}": people[people.region != "{out}"].x.sum()' for out in "ABC"]
    text = "def release(people):\n    return {" + ", ".join(pairs) + "}\n"
    assert small_sets_that_follow(text, people) == [5] and audited(text, people) == "fail"
    two = "def release(people):\n    return {" + ", ".join(pairs[:2]) + "}\n"
    assert small_sets_that_follow(two, people) == [] and audited(two, people) == "pass"
    # With enough people in all of them nothing small follows, and the release is harmless.
    people = pd.concat([people] * 5, ignore_index=True)
    assert audited(text, people) == "pass"
