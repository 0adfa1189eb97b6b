# release: the number of the person with the largest value
# why: it tells that this person's value is above all others.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import numpy as np


def release(x):
    return np.argmax(x)
