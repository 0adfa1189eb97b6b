# release: whether somebody else has more than 50, where it is known that the first person has
# why: that it is known has told it already, as evidence does that is written in the program.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: fails
from privug import condition


def release(x):
    large = 1 if x[0] > 50 else 0
    condition(large, 1)
    return x[1] > 50
