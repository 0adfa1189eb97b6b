# release: one person's value with a number of a generator without a seed
# why: as with every random number of the function's own.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import numpy as np


def release(x):
    return x[0] + np.random.default_rng().normal(0, 1000)
