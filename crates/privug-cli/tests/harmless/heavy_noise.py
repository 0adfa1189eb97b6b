# release: one person's value with noise ten times as wide as what is known of it
# why: 1/2 log2(1 + 1/100) is 0.007 bits.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
from privug import Normal


def release(x):
    return x[0] + Normal(0, std=100)
