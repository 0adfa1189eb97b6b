"""Random numbers of the system: nobody knows them beforehand, so that they are random variables of the program."""

from random import SystemRandom, choice


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return DiscreteUniform(0, exclusive_upper_bound - 1)


def randbits(k):
    return DiscreteUniform(0, 2**k - 1)
