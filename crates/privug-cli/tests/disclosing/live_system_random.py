# release: one person's value with a random number of the operating system
# why: no seed and no state of Python's shows it; two runs give two numbers, and the analysis knows neither.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: refused
import random


def release(x):
    return x[0] + random.SystemRandom().gauss(0, 1000)
