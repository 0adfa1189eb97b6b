"""Whether a figure with rounded weights may follow from others: then nothing about the two together is certain.

Two figures that say the same, such as a slope and a covariance over a variance, have weights that differ in their last digits.
Taken at their word they would tell the difference of the two as well, which is nothing but rounding.
"""

from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

NEAR = 1e-7
"""A figure of which this part is not told by the others, or less, may be told by them altogether."""

MAX_FIGURES = 5_000
MAX_PAIRS = 2_000_000_000


def doubtful(parts: List[Any]) -> Optional[int]:
    """The first figure with rounded weights that is nearly a combination of others; -1 if there are too many to tell."""
    if not any(part.is_rounded for part in parts):
        return None
    rounded = [part.is_rounded for part in parts]
    gram = _gram(parts)
    if gram is None:
        return -1
    # Those that are exact first: what they say of each other is decided elsewhere.
    order = sorted(range(len(parts)), key=lambda place: rounded[place])
    basis: List[np.ndarray] = []
    for place in order:
        # The part that the basis does not explain, in terms of the figures themselves.
        rest = np.zeros(len(parts))
        rest[place] = 1.0
        for _ in range(2):
            for known in basis:
                rest -= (known @ gram @ rest) * known
        size = float(np.sqrt(max(rest @ gram @ rest, 0.0)))
        if size <= NEAR:
            if rounded[place]:
                return place
            continue
        basis.append(rest / size)
    return None


def _gram(parts: List[Any]) -> Optional[np.ndarray]:
    """Products of all pairs of figures, each of length one."""
    count = len(parts)
    terms = [part.terms(0) for part in parts]
    figures = np.repeat(np.arange(count), [len(each[0]) for each in terms])
    people = np.concatenate([each[0] for each in terms])
    weights = np.concatenate([each[1] / np.sqrt((each[1] ** 2).sum()) if len(each[1]) else each[1] for each in terms])
    order = np.argsort(people, kind="stable")
    figures, people, weights = figures[order], people[order], weights[order]
    most = int(np.bincount(people).max(initial=0))
    if count > MAX_FIGURES or most * len(people) > MAX_PAIRS:
        return None
    gram = np.bincount(figures * count + figures, weights**2, count * count)
    for apart in range(1, most):
        same = people[apart:] == people[:-apart]
        if not same.any():
            break
        one, other = figures[:-apart][same], figures[apart:][same]
        products = weights[:-apart][same] * weights[apart:][same]
        gram += np.bincount(one * count + other, products, count * count)
        gram += np.bincount(other * count + one, products, count * count)
    return gram.reshape(count, count)
