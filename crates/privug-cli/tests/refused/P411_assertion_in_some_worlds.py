# refused: P411 at 7:12
from privug import DiscreteUniform


def main():
    n = DiscreteUniform(0, 3)
    assert n > 0, "nobody is there"
    return 6 // n
