# release: two values with the same noise, and one of the two without
# why: the second less its noisy twin is the noise, and the first less the noise is the first.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from privug import Normal


def release(x):
    noise = Normal(0, std=1000)
    return [x[0] + noise, x[1] + noise, x[1]]
