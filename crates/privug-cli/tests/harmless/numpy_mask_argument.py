# release: a sum over the people that a mask given as a numpy array picks
# why: the person is not in it.
# python: x=privug.Normal(50, std=10, size=4), g=np.array([0, 1, 1, 1]), secret="x[0]",
#   require="mutual_information_bits <= 0"
# source, live: passes
import numpy as np


def release(x, g):
    return np.sum(np.where(g != 0, x, 0))
