# release: the mean of twelve times everybody's value
# why: a mean of forty people, in another unit.
# python: x=privug.Normal(50, std=10, size=40), secret="x[0]", require="mutual_information_bits <= 0.1"
# source, live: passes
import numpy as np


def release(x):
    return np.mean(12 * np.array(x))
