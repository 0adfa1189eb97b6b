# release: one person's value with a random number of numpy's
# why: the number that was drawn in this run is taken for a constant, which hides nothing; and noise of another run
#   is another number.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: refused
import numpy as np


def release(x):
    return x[0] + np.random.normal(0, 1000)
