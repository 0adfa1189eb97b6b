"""Random numbers without a seed: nobody knows them beforehand, so that they are random variables of the program."""

import math


def _below_and_above(law, x):
    # The probabilities of the standard distribution on both sides of x, each with all of its digits.
    if law == "uniform":
        return x, 1 - x
    if law == "exponential":
        return -math.expm1(-x), math.exp(-x)
    if law == "logistic":
        return 1 / (1 + math.exp(-x)), 1 / (1 + math.exp(x))
    if x < 0:
        return math.exp(x) / 2, 1 - math.exp(x) / 2
    return 1 - math.exp(-x) / 2, math.exp(-x) / 2


class _Seen:
    """What a number was compared with: the probabilities to lie below and above it, ascending, and whether it did."""

    def __init__(self, law):
        self.law = law
        self.cuts = []
        self.events = []
        self.whole = False

    def is_below(self, x):
        assert not self.whole, "a random number was rounded to an integer, and is compared with a number; draw the integer with `random.randint`"
        if self.law in ("uniform", "exponential") and x <= 0:
            return False
        if self.law == "uniform" and x >= 1:
            return True
        below, above = _below_and_above(self.law, x)
        place, low, high, is_low, is_high = 0, (0, 1), (1, 0), False, True
        for cut, event in zip(self.cuts, self.events):
            if cut == (below, above):
                return event
            if cut[0] < below or cut[0] == below and cut[1] > above:
                place, low, is_low = place + 1, cut, event
            else:
                high, is_high = cut, event
                break
        # The share of the part between the two neighbours, from the side on which probabilities are small.
        part = high[0] - low[0] if low[0] < 0.5 else low[1] - high[1]
        if below < 0.5:
            event = is_low or (is_high and Bernoulli((below - low[0]) / part))
        else:
            event = is_low or (is_high and not Bernoulli((above - high[1]) / part))
        self.cuts.insert(place, (below, above))
        self.events.insert(place, event)
        return event


class _Continuous:
    """`offset + scale * x`, where x has a distribution that is not Gaussian: it can be compared with numbers."""

    def __init__(self, seen, offset, scale):
        self._is = "a random number that is not Gaussian"
        self.seen = seen
        self.offset = offset
        self.scale = scale

    def _is_below(self, other):
        _refuse_another(other)
        x = (other - self.offset) / self.scale
        return self.seen.is_below(x) if self.scale > 0 else not self.seen.is_below(x)

    def __lt__(self, other):
        return self._is_below(other)

    def __le__(self, other):
        return self._is_below(other)

    def __gt__(self, other):
        return not self._is_below(other)

    def __ge__(self, other):
        return not self._is_below(other)

    def __eq__(self, other):
        assert False, "a random number is compared with `==`: that it is equal to a given one has probability 0"

    def __add__(self, other):
        _refuse_another(other)
        return _Continuous(self.seen, self.offset + other, self.scale)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        _refuse_another(other)
        return 0 if other == 0 else _Continuous(self.seen, self.offset * other, self.scale * other)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        _refuse_another(other)
        return _Continuous(self.seen, self.offset / other, self.scale / other)

    def __neg__(self):
        return _Continuous(self.seen, -self.offset, -self.scale)

    def __int__(self):
        low, high = self.offset, self.offset + self.scale
        is_range = self.seen.law == "uniform" and 0 <= low < high and low % 1 == 0 and high % 1 == 0
        assert is_range and len(self.seen.cuts) == 0 and not self.seen.whole, "a random number is rounded to an integer; draw the integer with `random.randint`"
        self.seen.whole = True
        return DiscreteUniform(int(low), int(high) - 1)


def _refuse_another(other):
    assert not isinstance(other, _Continuous), "two random numbers that are not Gaussian are compared or combined: only with numbers is that exact"


def random():
    return _Continuous(_Seen("uniform"), 0, 1)


def uniform(a, b):
    return a if a == b else _Continuous(_Seen("uniform"), a, b - a)


def expovariate(lambd=1.0):
    return _Continuous(_Seen("exponential"), 0, 1 / lambd)


def gauss(mu=0.0, sigma=1.0):
    return Normal(mu, std=sigma)


def normalvariate(mu=0.0, sigma=1.0):
    return Normal(mu, std=sigma)


def randint(a, b):
    return DiscreteUniform(a, b)


def randrange(start, stop=None, step=1):
    first, end = (0, start) if stop is None else (start, stop)
    count = len(range(first, end, step))
    if count == 0:
        raise ValueError("empty range for randrange()")
    return first + step * DiscreteUniform(0, count - 1)


def getrandbits(k):
    return DiscreteUniform(0, 2**k - 1)


def binomialvariate(n=1, p=0.5):
    return Binomial(n, p)


def choice(seq):
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[DiscreteUniform(0, len(seq) - 1)]


def choices(population, weights=None, *, cum_weights=None, k=1):
    if cum_weights is not None:
        weights = [after - before for before, after in zip([0, *cum_weights], cum_weights)]
    if weights is None:
        return [choice(population) for _ in range(k)]
    if len(weights) != len(population):
        raise ValueError("The number of weights does not match the population")
    total = sum(weights)
    shares = [weight / total for weight in weights]
    return [population[Categorical(shares)] for _ in range(k)]


def shuffle(x):
    for place in range(len(x) - 1):
        other = DiscreteUniform(place, len(x) - 1)
        x[place], x[other] = x[other], x[place]


def sample(population, k):
    if not 0 <= k <= len(population):
        raise ValueError("Sample larger than population or is negative")
    left = list(population)
    for place in range(min(k, len(left) - 1)):
        other = DiscreteUniform(place, len(left) - 1)
        left[place], left[other] = left[other], left[place]
    return left[:k]


def seed(a=None):
    assert a is None, "whoever knows the seed can compute the random numbers again: leave the seed out"


class Random:
    def __init__(self, x=None):
        seed(x)

    def random(self):
        return random()

    def uniform(self, a, b):
        return uniform(a, b)

    def expovariate(self, lambd=1.0):
        return expovariate(lambd)

    def gauss(self, mu=0.0, sigma=1.0):
        return Normal(mu, std=sigma)

    def normalvariate(self, mu=0.0, sigma=1.0):
        return Normal(mu, std=sigma)

    def randint(self, a, b):
        return DiscreteUniform(a, b)

    def randrange(self, start, stop=None, step=1):
        return randrange(start, stop, step)

    def getrandbits(self, k):
        return getrandbits(k)

    def binomialvariate(self, n=1, p=0.5):
        return Binomial(n, p)

    def choice(self, seq):
        return choice(seq)

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        return choices(population, weights, cum_weights=cum_weights, k=k)

    def shuffle(self, x):
        shuffle(x)

    def sample(self, population, k):
        return sample(population, k)

    def seed(self, a=None):
        seed(a)


class SystemRandom(Random):
    def seed(self, a=None):
        return None
