# refused: P417 at 8:22
from privug import Bernoulli, DiscreteUniform


def main():
    # Possible in five of six worlds is not enough.
    n = DiscreteUniform(0, 5)
    return Bernoulli(n / 4)
