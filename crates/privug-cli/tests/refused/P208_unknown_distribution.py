# refused: P208 at 6:9
from privug import *


def main():
    p = Beta(1, 2)
    return Bernoulli(p)
