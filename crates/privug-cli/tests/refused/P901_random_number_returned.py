# refused: P901 at 7:12
import numpy as np


def main():
    count = Binomial(10, 0.5)
    return count + np.random.laplace(0, 2)
