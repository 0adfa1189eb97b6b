# release: sixteen measurements of one person, with the same device
# why: 1/2 log2(1 + 16*100/16) is 3.3 bits.
# analyze: --prior 'x=Normal(50, std=10, size=2)' --secret 'x[0]' --require 'mutual_information_bits <= 2' --require
#   'posterior_std >= 5'
# cli, source, live: fails
from privug import Normal


def release(x):
    return [Normal(x[0], std=4) for _ in range(16)]
