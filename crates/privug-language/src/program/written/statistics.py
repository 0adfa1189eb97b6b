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


def _ratio(value):
    # A float is an integer times a power of two.
    assert isinstance(value, (int, float)), "only the variance of numbers is known here"
    under = 1
    while value != int(value):
        value = value * 2
        under = under * 2
    return int(value), under


def _spread(data, fewer):
    """The exact sum of squared distances from the mean, over the number of values less so many, as a ratio."""
    count = len(data)
    if count <= fewer:
        raise ValueError("variance requires at least " + ("two data points" if fewer == 1 else "one data point"))
    ratios = [_ratio(value) for value in data]
    under = max([below for above, below in ratios])
    wholes = [above * (under // below) for above, below in ratios]
    over = count * sum([whole * whole for whole in wholes]) - sum(wholes) ** 2
    return over, under * under * count * (count - fewer)


def _mean_square(values, fewer):
    data = list(values)
    over, under = _spread(data, fewer)
    is_whole = over % under == 0 and all([isinstance(value, int) for value in data])
    return over // under if is_whole else over / under


def _root(over, under):
    # So many digits, and whether any follow: the quotient is rounded once.
    if over == 0:
        return 0.0
    places = max(0, 120 - over.bit_length() + under.bit_length()) // 2 + 1
    scaled = over * 4 ** places
    root = math.isqrt(scaled // under)
    follows = 0 if root * root * under == scaled else 1
    return (2 * root + follows) / (2 * 2 ** places)


def variance(data):
    return _mean_square(data, 1)


def pvariance(data):
    return _mean_square(data, 0)


def stdev(data):
    over, under = _spread(list(data), 1)
    return _root(over, under)


def pstdev(data):
    over, under = _spread(list(data), 0)
    return _root(over, under)


def geometric_mean(data):
    logarithms = [math.log(value) for value in data]
    assert len(logarithms) > 0, "there is no geometric mean of nothing"
    return math.exp(math.fsum(logarithms) / len(logarithms))
