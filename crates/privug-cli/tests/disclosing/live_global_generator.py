# release: one person's value with a number of a generator that lives outside the function
# why: every run draws another number, so no run tells what will be published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: refused
import numpy as np

GENERATOR = np.random.default_rng()


def release(x):
    return x[0] + GENERATOR.normal(0, 1000)
