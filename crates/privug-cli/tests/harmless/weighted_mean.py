# release: a weighted mean of 60 people with weights between 1 and 3
# why: nobody has more than a fortieth of the weight.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[5]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
import numpy as np


def release(x):
    return np.average(x, weights=[1 + i % 3 for i in range(60)])
