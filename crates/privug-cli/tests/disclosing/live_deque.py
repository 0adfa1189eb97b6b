# release: everybody's value in a deque
# why: a deque is a list by another name.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: fails
from collections import deque


def release(x):
    return {"total": x[1] + x[2], "queue": deque(x)}
