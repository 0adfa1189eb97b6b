# refused: P501 at 10:15
from privug import Bernoulli, condition


def main():
    a, b = Bernoulli(0.5), Bernoulli(0.5)
    condition(a or b)
    if a:
        condition(not a)
    condition(not b)
    return b
