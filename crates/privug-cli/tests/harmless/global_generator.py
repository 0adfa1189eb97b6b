# release: one person's value with noise of a generator that lives outside the function
# why: noise a hundred times as wide as what is known of the person hides the value. Nobody has set a seed.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: passes
import numpy as np

GENERATOR = np.random.default_rng()


def release(x):
    return x[0] + GENERATOR.normal(0, 1000)
