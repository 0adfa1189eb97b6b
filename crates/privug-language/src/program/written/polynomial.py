"""Polynomials with the constant first."""

import numpy as np


def polyfit(x, y, deg, rcond=None, full=False, w=None):
    assert isinstance(deg, int) and not full, "the coefficients of one degree are known"
    return np.polyfit(x, y, deg)[::-1] if w is None else np.polyfit(x, y, deg, w=w)[::-1]


def polyval(x, c):
    total = 0 * x
    for place in range(len(c)):
        total = total * x + c[len(c) - 1 - place]
    return total
