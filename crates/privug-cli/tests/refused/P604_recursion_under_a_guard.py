# refused: P604 at 8:12
from privug import Bernoulli


def tosses(so_far):
    if Bernoulli(0.5):
        return so_far
    return tosses(so_far + 1)


def main():
    return tosses(1)
