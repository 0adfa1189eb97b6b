# refused: P410 at 7:9
# refused: P410 at 9:19
import numpy as np


def main():
    a = np.array([1, 2]) + np.array([1, 2, 3])
    xs = Normal(0, 1, size=2)
    condition(xs, [1, 2, 3])
    return xs[0]
