"""What `statistics` has besides: what is linear in one of two lists, and what is not in any."""

import math


def _away(x, y):
    count = len(x)
    assert len(y) == count and count > 1, "two lists of the same length are compared, of two values at least"
    x_mean = math.fsum(x) / count
    y_mean = math.fsum(y) / count
    return [value - x_mean for value in x], [value - y_mean for value in y], x_mean, y_mean


def covariance(x, y):
    own, other, x_mean, y_mean = _away(x, y)
    return math.fsum([a * b for a, b in zip(own, other)]) / (len(own) - 1)


def correlation(x, y):
    own, other, x_mean, y_mean = _away(x, y)
    both = math.fsum([a * b for a, b in zip(own, other)])
    return both / math.sqrt(math.fsum([a * a for a in own]) * math.fsum([b * b for b in other]))


def linear_regression(x, y):
    own, other, x_mean, y_mean = _away(x, y)
    slope = math.fsum([a * b for a, b in zip(own, other)]) / math.fsum([a * a for a in own])
    return slope, y_mean - slope * x_mean


def geometric_mean(data):
    logarithms = [math.log(value) for value in data]
    assert len(logarithms) > 0, "there is no geometric mean of nothing"
    return math.exp(math.fsum(logarithms) / len(logarithms))
