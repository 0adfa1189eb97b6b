"""What `statistics` has besides: the linear part of a regression."""

import math
from collections import namedtuple

LinearRegression = namedtuple("LinearRegression", "slope intercept")


def linear_regression(x, y):
    count = len(x)
    assert len(y) == count and count > 1, "linear regression takes two lists of the same length, of two values at least"
    x_mean = math.fsum(x) / count
    y_mean = math.fsum(y) / count
    away = [value - x_mean for value in x]
    slope = math.fsum([own * (other - y_mean) for own, other in zip(away, y)]) / math.fsum([own * own for own in away])
    return LinearRegression(slope, y_mean - slope * x_mean)
