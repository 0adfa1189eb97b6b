# release: a dataclass with a mean of forty people and their number
# why: the mean tells 0.02 bits about each of them.
# analyze: :release --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
from dataclasses import dataclass


@dataclass
class Report:
    people: int
    mean: object


def release(x):
    return Report(people=len(x), mean=sum(x) / len(x))
