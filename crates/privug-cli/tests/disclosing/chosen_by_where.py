# release: a sum in which everybody but one counts as zero
# why: the sum is that one.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import numpy as np


def release(x):
    chosen = np.array([1, 0, 0, 0])
    return np.dot(chosen, x)
