# refused: P417 at 6:31
from privug import DiscreteUniform


def main():
    return DiscreteUniform(3, 2)
