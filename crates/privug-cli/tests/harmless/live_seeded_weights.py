# release: a weighted sum of a hundred people, with weights of a generator with a seed
# why: the weights are constants, between 1 and 2.
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
import numpy as np


def release(x):
    weights = np.random.default_rng(14).uniform(1, 2, size=100)
    return sum(weight * one for weight, one in zip(weights, x))
