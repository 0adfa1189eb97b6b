# release: a numpy array of objects with everybody's value in it
# why: the elements are published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
import numpy as np


def release(x):
    table = np.empty((2, 2), dtype=object)
    for place in range(4):
        table[place // 2, place % 2] = x[place]
    return {"total": x[1] + x[2], "table": table}
