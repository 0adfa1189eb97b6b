# release: a named tuple with one person's value
# why: its fields are published with it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from collections import namedtuple

Report = namedtuple("Report", "total head")


def release(x):
    return Report(x[1] + x[2], x[0])
