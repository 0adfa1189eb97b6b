# release: a named tuple of two means of thirty people
# why: each person is in one mean of thirty.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
from collections import namedtuple

Report = namedtuple("Report", "first second")


def release(x):
    return Report(sum(x[:30]) / 30, sum(x[30:]) / 30)
