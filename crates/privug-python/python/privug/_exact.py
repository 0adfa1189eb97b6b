"""Weights of least squares and covariances as whole numbers over one divisor, where they fit: no digit is lost.

A coefficient is a sum over people with weights that are quotients of whole numbers. Rounded to doubles they differ in their last
digits from those of a mean that says the same, and the two would seem to tell different things.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Any, List, Optional, Tuple

import numpy as np

EXACT = 2**53
"""Whole numbers below this are doubles."""

MOST_DIGITS = 6
MOST_REGRESSORS = 12

Whole = Tuple[np.ndarray, int]
"""Whole numbers, and what they were multiplied by."""


def whole(numbers: np.ndarray) -> Optional[Whole]:
    """Numbers times a power of ten that makes all of them whole; None if they have too many digits."""
    for digits in range(MOST_DIGITS + 1):
        scaled = np.round(numbers * 10.0**digits)
        if not np.isfinite(scaled).all() or (np.abs(scaled) >= 2**31).any():
            return None
        # A double stands for the decimal that it is written as.
        if (scaled / 10.0**digits == numbers).all():
            return scaled.astype(np.int64), 10**digits
    return None


def least_squares(matrix: np.ndarray, rank: int, weights: Optional[np.ndarray] = None) -> Optional[List[Tuple[np.ndarray, int]]]:
    """The coefficients of smallest length row by row, each as whole numbers and their divisor.

    With C the first columns that are independent and X = C·F, they are Fᵀ(F·Fᵀ)⁻¹(CᵀWC)⁻¹CᵀW; of independent columns F is one.
    None where the numbers do not fit, or where the rank is not the one that the doubles seem to have.
    """
    if matrix.ndim != 2 or not 0 < matrix.shape[1] <= MOST_REGRESSORS or len(matrix) < matrix.shape[1]:
        return None
    columns = [whole(np.asarray(matrix[:, place], dtype=float)) for place in range(matrix.shape[1])]
    own = whole(np.ones(len(matrix)) if weights is None else np.asarray(weights, dtype=float))
    if own is None or any(column is None for column in columns):
        return None
    regressors = [column[0] for column in columns if column is not None]
    scales = [column[1] for column in columns if column is not None]
    weighted = [regressor * own[0] for regressor in regressors]
    sizes = [float(np.abs(one.astype(float)).max(initial=0.0)) for one in (*regressors, *weighted)]
    if len(matrix) * max(sizes) ** 2 >= 2.0**62:
        return None
    gram = [[int((one * other).sum()) for other in regressors] for one in weighted]
    basis, coordinates = independent(gram)
    if len(basis) != rank:
        return None
    of_columns = [[each / scale for each, scale in zip(row, scales)] for row in coordinates]
    across = inverse_fractions([[_dot(one, other) for other in of_columns] for one in of_columns])
    inner = inverse_fractions([[Fraction(gram[one][other]) for other in basis] for one in basis])
    if across is None or inner is None:
        return None
    outer = _product(_product(list(zip(*of_columns)), across), inner)
    rows = []
    for row in outer:
        divisor = lcm(*(each.denominator for each in row))
        # The numbers may be larger than a machine's.
        parts = (int(each * divisor) * weighted[place].astype(object) for each, place in zip(row, basis))
        found_row = reduced(sum(parts, np.zeros(len(matrix), dtype=object)), divisor)
        if found_row is None:
            return None
        rows.append(found_row)
    return rows


def independent(gram: List[List[int]]) -> Tuple[List[int], List[List[Fraction]]]:
    """The first columns that are independent, by their products, and all columns as combinations of these."""
    rows = [[Fraction(each) for each in row] for row in gram]
    basis: List[int] = []
    for column in range(len(gram)):
        top = len(basis)
        swap = next((row for row in range(top, len(rows)) if rows[row][column] != 0), None)
        if swap is None:
            continue
        rows[top], rows[swap] = rows[swap], rows[top]
        _clear(rows, top, column)
        basis.append(column)
    return basis, rows[: len(basis)]


def inverse_fractions(matrix: List[List[Fraction]]) -> Optional[List[List[Fraction]]]:
    """The inverse of a matrix; None if it is singular."""
    size = len(matrix)
    rows = [list(row) + [Fraction(place == column) for column in range(size)] for place, row in enumerate(matrix)]
    for column in range(size):
        swap = next((row for row in range(column, size) if rows[row][column] != 0), None)
        if swap is None:
            return None
        rows[column], rows[swap] = rows[swap], rows[column]
        _clear(rows, column, column)
    return [row[size:] for row in rows]


def _clear(rows: List[List[Fraction]], pivot: int, column: int) -> None:
    """Makes a column one in the row of the pivot and zero in all others."""
    lead = rows[pivot][column]
    rows[pivot] = [each / lead for each in rows[pivot]]
    for place, row in enumerate(rows):
        if place != pivot and row[column] != 0:
            factor = row[column]
            rows[place] = [one - factor * other for one, other in zip(row, rows[pivot])]


def _product(one: Any, other: List[List[Fraction]]) -> List[List[Fraction]]:
    return [[_dot(row, column) for column in zip(*other)] for row in one]


def _dot(one: Any, other: Any) -> Fraction:
    return sum((a * b for a, b in zip(one, other)), Fraction(0))


def inverted(matrix: np.ndarray) -> Optional[List[Tuple[np.ndarray, int]]]:
    """The inverse of a square matrix row by row, each as whole numbers and their divisor; None where they do not fit."""
    scaled = whole(matrix) if 0 < len(matrix) <= MOST_REGRESSORS else None
    found = None if scaled is None else inverse_fractions([[Fraction(each, scaled[1]) for each in row] for row in scaled[0].tolist()])
    rows = [] if found is None else [fractions(row) for row in found]
    return None if found is None or any(row is None for row in rows) else [row for row in rows if row is not None]


def centred(numbers: np.ndarray, weights: np.ndarray, lost: float) -> Optional[Tuple[np.ndarray, int]]:
    """wᵢ·(xᵢ − x̄)/(Σw − lost) as whole numbers and their divisor; None where they do not fit."""
    values, own, freedom = whole(numbers), whole(weights), whole(np.array([lost]))
    if values is None or own is None or freedom is None or own[1] != 1 or freedom[1] != 1:
        return None
    total = int(own[0].sum())
    divisor = total * values[1] * (total - int(freedom[0][0]))
    middle = int((own[0].astype(object) * values[0]).sum())
    return None if divisor == 0 else reduced(own[0].astype(object) * (total * values[0].astype(object) - middle), divisor)


def fractions(weights: List[Fraction]) -> Optional[Tuple[np.ndarray, int]]:
    """Weights as whole numbers and their divisor; None where they do not fit."""
    divisor = lcm(*(each.denominator for each in weights))
    return reduced(np.array([each.numerator * (divisor // each.denominator) for each in weights], dtype=object), divisor)


def reduced(numerators: Any, divisor: int) -> Optional[Tuple[np.ndarray, int]]:
    """The same with no common factor; None where they do not fit into doubles."""
    common = abs(divisor)
    for each in numerators.tolist():
        common = gcd(common, int(each))
        if common == 1:
            break
    numerators, divisor = numerators // common, divisor // common
    if divisor < 0:
        numerators, divisor = -numerators, -divisor
    if divisor >= EXACT or any(abs(int(each)) >= EXACT for each in numerators.tolist()):
        return None
    return numerators.astype(float), divisor
