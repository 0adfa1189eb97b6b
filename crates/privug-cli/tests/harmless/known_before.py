# release: the value of another person, beside evidence about that person
# why: everything is about somebody else.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0' --require
#   'posterior_std >= 10'
# cli, source, live: passes
from privug import observe


def release(x):
    observe(x[1], 44, std=2)
    return x[1]
