# release: the same value 400 times, each time with noise of its own
# why: the average of the 400 has a twentieth of the noise: 1/2 log2(1 + 400) is 4.3 bits.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 1'
# cli, source, live: fails
from privug import Normal


def release(x):
    return [x[0] + Normal(0, std=10) for _ in range(400)]
