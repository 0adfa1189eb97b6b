# refused: P504 at 9:5
import math


def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y * math.sqrt(2) * math.sqrt(2), 1)
    condition(x + 2 * y, 1)
    return x
