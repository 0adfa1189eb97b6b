# refused: P203 at 4:24
# refused: P203 at 8:19
import numpy as np
from statistics import median


def main():
    return Normal(np.median([1, 2, 3]), 1)
