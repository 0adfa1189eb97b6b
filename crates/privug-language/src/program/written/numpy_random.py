"""Random numbers without a seed: nobody knows them beforehand, so that they are random variables of the program."""

import math

import numpy as np
from random import _Continuous, _Seen


class _Draws:
    """Independent numbers from a distribution that is not Gaussian, each to be compared with numbers."""

    def __init__(self, numbers):
        self._is = "an array of random numbers that are not Gaussian"
        self.numbers = numbers

    def _beside(self, other):
        # What stands beside each of them: the same for all, or one for each.
        if isinstance(other, (list, tuple, np.ndarray)):
            assert len(other) == len(self.numbers), "arrays of different lengths are compared or combined"
            return list(other)
        return [other for _ in self.numbers]

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, place):
        return self.numbers[place]

    def __iter__(self):
        return iter(self.numbers)

    def __lt__(self, other):
        return np.array([number < beside for number, beside in zip(self.numbers, self._beside(other))])

    def __le__(self, other):
        return self < other

    def __gt__(self, other):
        return np.array([number > beside for number, beside in zip(self.numbers, self._beside(other))])

    def __ge__(self, other):
        return self > other

    def __eq__(self, other):
        assert False, "random numbers are compared with `==`: that one is equal to a given number has probability 0"

    def __add__(self, other):
        return _Draws([number + beside for number, beside in zip(self.numbers, self._beside(other))])

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return _Draws([number - beside for number, beside in zip(self.numbers, self._beside(other))])

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return _Draws([number * beside for number, beside in zip(self.numbers, self._beside(other))])

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return _Draws([-number for number in self.numbers])


def _drawn(law, offset, scale, size):
    if scale < 0:
        raise ValueError("scale < 0")
    if scale == 0:
        return offset if size is None else np.array([offset for _ in range(size)])
    if size is None:
        return _Continuous(_Seen(law), offset, scale)
    assert not isinstance(size, (list, tuple)), "arrays of random numbers that are not Gaussian have one axis here: give their number"
    return _Draws([_Continuous(_Seen(law), offset, scale) for _ in range(size)])


def random(size=None):
    return _drawn("uniform", 0, 1, size)


def random_sample(size=None):
    return _drawn("uniform", 0, 1, size)


def rand(size=None):
    return _drawn("uniform", 0, 1, size)


def uniform(low=0.0, high=1.0, size=None):
    return _drawn("uniform", low, high - low, size)


def exponential(scale=1.0, size=None):
    return _drawn("exponential", 0, scale, size)


def laplace(loc=0.0, scale=1.0, size=None):
    return _drawn("laplace", loc, scale, size)


def logistic(loc=0.0, scale=1.0, size=None):
    return _drawn("logistic", loc, scale, size)


def normal(loc=0.0, scale=1.0, size=None):
    if size is None:
        return Normal(loc, std=scale)
    return Normal(loc, std=scale, size=size)


def standard_normal(size=None):
    return normal(0.0, 1.0, size)


def randn():
    return Normal(0.0, std=1.0)


def randint(low, high=None, size=None):
    first, end = (0, low) if high is None else (low, high)
    if first >= end:
        raise ValueError("low >= high")
    return DiscreteUniform(first, end - 1) if size is None else DiscreteUniform(first, end - 1, size=size)


def binomial(n, p, size=None):
    return Binomial(n, p) if size is None else Binomial(n, p, size=size)


def poisson(lam=1.0, size=None):
    return Poisson(lam) if size is None else Poisson(lam, size=size)


def geometric(p, size=None):
    return Geometric(p) if size is None else Geometric(p, size=size)


def _elements(given):
    return list(given) if isinstance(given, (list, tuple, range, np.ndarray)) else list(range(given))


def permutation(x):
    numbers = _elements(x)
    shuffle(numbers)
    return np.array(numbers)


def shuffle(x):
    for place in range(len(x) - 1):
        other = DiscreteUniform(place, len(x) - 1)
        x[place], x[other] = x[other], x[place]


def choice(a, size=None, replace=True, p=None):
    answers = _elements(a)
    if len(answers) == 0:
        raise ValueError("a cannot be empty unless no samples are taken")
    if p is not None and len(p) != len(answers):
        raise ValueError("a and p must have same size")
    if size is None:
        return answers[DiscreteUniform(0, len(answers) - 1) if p is None else Categorical(p)]
    assert not isinstance(size, (list, tuple)), "arrays of choices have one axis here: give their number"
    if replace:
        return np.array([choice(answers, None, True, p) for _ in range(size)])
    assert p is None, "what is drawn without replacement is equally likely here: leave `p` out"
    if size > len(answers):
        raise ValueError("Cannot take a larger sample than population when replace is False")
    return permutation(answers)[:size]


def seed(seed=None):
    assert seed is None, "whoever knows the seed can compute the random numbers again: leave the seed out"


class Generator:
    def random(self, size=None):
        return random(size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return uniform(low, high, size)

    def exponential(self, scale=1.0, size=None):
        return exponential(scale, size)

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return laplace(loc, scale, size)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        return logistic(loc, scale, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return normal(loc, scale, size)

    def standard_normal(self, size=None):
        return normal(0.0, 1.0, size)

    def integers(self, low, high=None, size=None, dtype=None, endpoint=False):
        assert dtype is None or dtype is int, "integers have no limits here: leave `dtype` out"
        first, end = (0, low) if high is None else (low, high)
        return randint(first, end + 1 if endpoint else end, size)

    def binomial(self, n, p, size=None):
        return binomial(n, p, size)

    def poisson(self, lam=1.0, size=None):
        return poisson(lam, size)

    def geometric(self, p, size=None):
        return geometric(p, size)

    def permutation(self, x):
        return permutation(x)

    def shuffle(self, x):
        shuffle(x)

    def choice(self, a, size=None, replace=True, p=None):
        return choice(a, size, replace, p)


class RandomState(Generator):
    def __init__(self, seed=None):
        assert seed is None, "whoever knows the seed can compute the random numbers again: leave the seed out"

    def randint(self, low, high=None, size=None):
        return randint(low, high, size)

    def rand(self, size=None):
        return random(size)

    def random_sample(self, size=None):
        return random(size)


def default_rng(seed=None):
    assert seed is None, "whoever knows the seed can compute the random numbers again: leave the seed out"
    return Generator()
