# release: the mean of a random sample of two
# why: whether the person is in the sample is decided by dice; a mean of two tells much about both.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
import random


def release(x):
    chosen = random.sample(range(4), 2)
    return sum(x[i] for i in chosen) / 2
