# release: the logarithm of one person's value
# why: its exponential is the value; it is not linear, so it is not understood, and does not pass.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import math


def release(x):
    return {"total": x[1] + x[2], "log": math.log(x[0])}
