# release: a dataclass with one person's value
# why: its fields are published with it.
# analyze: :release --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from dataclasses import dataclass


@dataclass
class Report:
    total: object
    head: object


def release(x):
    return Report(total=x[1] + x[2], head=x[0])
