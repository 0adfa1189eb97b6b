# release: one person's value with a number of a generator with a seed
# why: whoever knows the seed knows the number; it is a constant, and hides nothing.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
import numpy as np


def release(x):
    return x[0] + np.random.default_rng(14).normal(0, 1000)
