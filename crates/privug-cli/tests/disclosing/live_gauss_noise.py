# release: one person's value with a random number of Python's
# why: a random number of the function's own is not known to the analysis; one that is drawn in its run is another
#   one.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: refused
import random


def release(x):
    return x[0] + random.gauss(0, 1000)
