"""Filters of scipy.signal that are made of sums."""

import numpy as np


def lfilter(b, a, x):
    ahead = list(b)
    back = list(a)
    assert len(back) > 0 and back[0] != 0, "the first coefficient of the recursion is not zero"
    values = list(x)
    found = []
    for place in range(len(values)):
        total = 0.0
        for lag in range(len(ahead)):
            if lag <= place:
                total = total + ahead[lag] * values[place - lag]
        for lag in range(1, len(back)):
            if lag <= place:
                total = total - back[lag] * found[place - lag]
        found.append(total / back[0])
    return np.array(found)


def convolve(in1, in2, mode="full"):
    assert len(in1) >= len(in2), "the longer sequence comes first here"
    return np.convolve(in1, in2, mode)
