# refused: P306 at 9:9
# refused: P306 at 10:9
# refused: P306 at 11:18
import math


def main():
    x = Normal(0, 1)
    a = abs(x)
    b = max([x, 3])
    c = math.exp(x)
    return x
