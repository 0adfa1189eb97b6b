# release: a sum over the people that a mask given as a numpy array picks, which is one person
# why: the sum is that person.
# python: x=privug.Normal(50, std=10, size=4), g=np.array([1, 0, 0, 0]), secret="x[0]",
#   require="mutual_information_bits <= 0.1"
# source, live: fails
import numpy as np


def release(x, g):
    return np.sum(g * x)
