"""Whether a figure with rounded weights may follow from others: then nothing about the two together is certain.

Two figures that say the same, such as a slope and a covariance over a variance, have weights that differ in their last digits.
Taken at their word they would tell the difference of the two as well, which is nothing but rounding.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._privug import Forms

NEAR = 1e-7
"""A figure of which this part is not told by the others, or less, may be told by them altogether."""

SQUARED = 1e-4
"""Of a smaller part, the root of a difference of squares is not certain."""

SIMPLE = 1_000_000
"""The largest denominator of a simple number."""

MAX_TERMS = 3_000
"""So many weights are compared digit by digit: all figures are computed in fractions of as many digits then, which takes long."""

MAX_DISCLOSED = 100
"""Of so many people it is looked whether figures tell them alone."""

MAX_FIGURES = 5_000
MAX_PAIRS = 2_000_000_000


def doubtful(parts: List[Any]) -> Tuple[Optional[int], List[Any]]:
    """The first figure with rounded weights that is nearly a combination of others (-1 if there are too many to tell), and all figures.

    Where rounded ones follow from others digit by digit, their weights are taken as they are from here on.
    """
    if not any(part.is_rounded for part in parts):
        return None, parts
    rounded = [part.is_rounded for part in parts]
    gram = _gram(parts)
    if gram is None:
        return -1, parts
    has_proof = False
    figures, people, weights = _terms(parts)
    # Those that are exact first: what they say of each other is decided elsewhere.
    order = sorted(range(len(parts)), key=lambda place: rounded[place])
    # Figures of length one that are at right angles, and the products of each with all figures.
    basis, products = np.zeros((len(parts), len(parts))), np.zeros((len(parts), len(parts)))
    found = 0
    for place in order:
        # The part that the basis does not explain, in terms of the figures themselves.
        rest = np.zeros(len(parts))
        rest[place] = 1.0
        for _ in range(2):
            rest -= (products[:found] @ rest) @ basis[:found]
        size = float(np.sqrt(max(rest @ gram @ rest, 0.0)))
        if size <= SQUARED:
            # The square of something small is lost in the digits of what cancelled out: person by person it is not.
            size = float(np.sqrt((np.bincount(people, rest[figures] * weights) ** 2).sum()))
        if size <= NEAR:
            if rounded[place] and not _follows(parts, rest):
                return place, parts
            has_proof |= rounded[place]
            continue
        basis[found] = rest / size
        products[found] = basis[found] @ gram
        found += 1
    disclosed = _disclosed(parts, list(basis[:found]))
    if disclosed is None or not all(_follows(parts, combination, person) for person, combination in disclosed):
        return None, parts
    return None, [_as_they_are(part) for part in parts] if has_proof or disclosed else parts


def _disclosed(parts: List[Any], basis: List[np.ndarray]) -> Optional[List[Tuple[int, np.ndarray]]]:
    """Who is told by figures alone, and by which of them; None if there are too many to tell."""
    figures, people, weights = _terms(parts)
    everybody, of_term = np.unique(people, return_inverse=True)
    if len(basis) * len(people) > MAX_PAIRS // 10 or len(basis) * len(everybody) > MAX_PAIRS // 100:
        return None
    told = np.array([np.bincount(of_term, each[figures] * weights, len(everybody)) for each in basis]).reshape(len(basis), len(everybody))
    alone = np.flatnonzero((told**2).sum(axis=0) >= 1.0 - NEAR**1.5)
    if len(alone) > MAX_DISCLOSED:
        return None
    return [(int(everybody[at]), told[:, at] @ np.array(basis)) for at in alone]


def _follows(parts: List[Any], combination: np.ndarray, but: Optional[int] = None) -> bool:
    """Whether figures times simple numbers cancel out digit by digit, in everybody or in everybody but one person.

    A total of people with rounded weights and the totals of its groups have the same digits for everybody: nothing hangs on them.
    """
    used = np.flatnonzero(np.abs(combination) > NEAR * np.abs(combination).max())
    terms = {at: _rounded_terms(parts[at]) for at in used}
    if sum(len(part.terms(0)[0]) for part in parts) > MAX_TERMS:
        return False
    lengths = {at: float(np.sqrt((each[1] ** 2).sum()) / abs(each[2])) for at, each in terms.items()}
    factors = {at: float(combination[at] / lengths[at] * np.sign(each[2])) for at, each in terms.items()}
    largest = max(factors.values(), key=abs)
    simple = {at: Fraction(factors[at] / largest).limit_denominator(SIMPLE) / Fraction(each[2]) for at, each in terms.items()}
    # As doubles, and as the decimals that they are written as: both are computed with later.
    for number in (Fraction, lambda weight: Fraction(repr(weight))):
        left: Dict[int, Fraction] = {}
        for at, (people, weights, *_) in terms.items():
            for person, weight in zip(people.tolist(), weights.tolist()):
                left[person] = left.get(person, Fraction(0)) + simple[at] * number(weight)  # type: ignore[operator]
        if any(rest for person, rest in left.items() if person != but):
            return False
    return True


def _rounded_terms(part: Any) -> Any:
    """The terms of a figure; a divisor of many digits, such as a deflator, is a part of the weights, as it is in means beside it."""
    people, weights, divisor, offset, unit = part.terms(0)
    return (people, weights, divisor, offset, unit) if float(divisor).is_integer() else (people, weights / divisor, 1.0, offset, unit)


def _as_they_are(part: Any) -> Any:
    """A figure with the same weights, which count as exact."""
    people, weights, divisor, offset, unit = part.terms(0)
    if not part.is_rounded and float(divisor).is_integer():
        return part
    people, weights, divisor, offset, unit = _rounded_terms(part)
    ends, places = np.array([0, len(people)], dtype=np.int64), np.arange(len(people), dtype=np.int64)
    made = Forms.of_secrets(people).combined(ends, places, weights).over(np.array([divisor])).plus(np.array([offset]))
    return made.rounded_to(unit) if unit > 0 else made


def _gram(parts: List[Any]) -> Optional[np.ndarray]:
    """Products of all pairs of figures, each of length one."""
    count = len(parts)
    figures, people, weights = _terms(parts)
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


def _terms(parts: List[Any]) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each weight the figure, the person, and its size in a figure of length one."""
    terms = [part.terms(0) for part in parts]
    weights = [each[1] / np.sqrt((each[1] ** 2).sum()) if len(each[1]) else each[1] for each in terms]
    figures = np.repeat(np.arange(len(parts)), [len(each[0]) for each in terms])
    return figures, np.concatenate([each[0] for each in terms]), np.concatenate(weights)
