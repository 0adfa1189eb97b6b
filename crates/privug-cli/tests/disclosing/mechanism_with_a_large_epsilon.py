# release: one person's value by the Gaussian mechanism, with an epsilon of 1000
# why: the noise has a standard deviation below one, against ten of the prior.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 1'
# cli, source, live: fails
from privug import gaussian_mechanism


def release(x):
    return gaussian_mechanism(x[0], sensitivity=40, epsilon=1000, delta=1e-5)
