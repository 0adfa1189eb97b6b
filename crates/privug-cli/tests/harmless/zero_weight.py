# release: a weighted sum in which one person counts as zero
# why: the person is not in it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0'
# cli, source, live: passes
import numpy as np


def release(x):
    return np.dot(np.array([0, 1, 1, 1]), x)
