# release: a weighted mean in which one person has nearly all of the weight
# why: the mean is that person, to within a thousandth.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import numpy as np


def release(x):
    return np.average(x, weights=[10_000, 1, 1, 1])
