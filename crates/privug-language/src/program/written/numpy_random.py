"""Noise: normal distributions without a seed."""


def normal(loc=0.0, scale=1.0, size=None):
    if size is None:
        return Normal(loc, std=scale)
    return Normal(loc, std=scale, size=size)


def standard_normal(size=None):
    return normal(0.0, 1.0, size)


def randn():
    return Normal(0.0, std=1.0)


class Generator:
    def __init__(self):
        self.seeded = False

    def normal(self, loc=0.0, scale=1.0, size=None):
        if size is None:
            return Normal(loc, std=scale)
        return Normal(loc, std=scale, size=size)

    def standard_normal(self, size=None):
        return self.normal(0.0, 1.0, size)


def default_rng(seed=None):
    assert seed is None, "whoever knows the seed can compute the noise again, and take it away: leave the seed out"
    return Generator()


def seed(seed=None):
    assert seed is None, "whoever knows the seed can compute the noise again, and take it away: leave the seed out"
