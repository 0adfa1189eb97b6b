# refused: P609 at 8:13
from privug import Bernoulli


def main():
    x = 1
    for i in range(60):
        x = x * 3 % 1000003 + 7 * Bernoulli(0.5)
    return x % 2
