# release: everybody's value in a random order
# why: the values are published, and only the names are not.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
import random


def release(x):
    order = list(range(4))
    random.shuffle(order)
    return [x[i] for i in order]
