# refused: P406 at 6:19
import math


def main():
    return Normal(math.sqrt(-1), 1)
