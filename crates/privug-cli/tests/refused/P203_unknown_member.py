# refused: P203 at 4:24
# refused: P203 at 8:19
import numpy as np
from statistics import kde


def main():
    return Normal(np.ptpp([1, 2, 3]), 1)
