# release: a value with noise, and the noise
# why: the one less the other is the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from privug import Normal


def release(x):
    noise = Normal(0, std=1000)
    return x[0] + noise, noise
