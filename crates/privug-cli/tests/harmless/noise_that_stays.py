# release: a value with wide noise, twice, with the same noise
# why: the second figure is the first; saying it again tells nothing.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
from privug import Normal


def release(x):
    noisy = x[0] + Normal(0, std=100)
    return noisy, 2 * noisy
