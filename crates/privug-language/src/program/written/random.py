"""Noise: normal distributions without a seed."""


def gauss(mu=0.0, sigma=1.0):
    return Normal(mu, std=sigma)


def normalvariate(mu=0.0, sigma=1.0):
    return Normal(mu, std=sigma)


def seed(a=None):
    assert a is None, "whoever knows the seed can compute the noise again, and take it away: leave the seed out"
