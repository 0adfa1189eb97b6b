# release: two weighted means over the same people, with weights that differ for one of them
# why: the weighted sums differ by a known multiple of that person.
# analyze: --prior 'x=Normal(50, std=10, size=20)' --secret 'x[3]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import numpy as np


def release(x):
    equal = [1 for _ in range(20)]
    other = [2 if i == 3 else 1 for i in range(20)]
    return np.average(x, weights=equal), np.average(x, weights=other)
