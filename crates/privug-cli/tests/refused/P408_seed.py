# refused: P408 at 7:5
import numpy as np


def noise(count):
    half = count / 2
    np.random.seed(3)
    return np.random.normal(half, 1, count)


def main():
    incomes = Normal(50, 100, size=3)
    return sum(incomes + noise(3))
