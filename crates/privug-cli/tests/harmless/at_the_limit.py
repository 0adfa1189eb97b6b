# release: one person's value with noise of the same spread
# why: it tells exactly half a bit, which is what is allowed.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.5'
# cli, source, live: passes
from privug import Normal


def release(x):
    return x[0] + Normal(0, std=10)
