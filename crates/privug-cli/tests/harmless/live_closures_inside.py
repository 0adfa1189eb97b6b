# release: a mean that is computed with functions, classes and a comprehension of Python's
# why: how it is computed does not matter; it is a mean of forty.
# analyze: :release --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
from functools import reduce


class Adder:
    def __init__(self):
        self.total = 0

    def add(self, value):
        self.total = self.total + value
        return self


def release(x):
    adder = reduce(lambda held, one: held.add(one), x, Adder())
    share = lambda total: total / len(x)
    return share(adder.total)
