# release: the mean of ten people by the Gaussian mechanism
# why: the noise has a standard deviation above 13, against 3 of the mean.
# analyze: --prior 'x=Normal(50, std=10, size=10)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
from privug import gaussian_mechanism


def release(x):
    return gaussian_mechanism(sum(x) / 10, sensitivity=4, epsilon=1, delta=1e-5)
