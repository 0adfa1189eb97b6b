# release: running totals in the order of the register
# why: neighbouring totals differ by one person.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
import numpy as np


def release(x):
    return np.cumsum(np.array(x))
