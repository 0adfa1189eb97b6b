# refused: P107 at 9:1
# refused: P107 at 14:1
from functools import reduce


def twice(f):
    return f

@twice
def one():
    return 1


@lru_cache
def noise():
    return Normal(0, 1)


def main():
    return noise() + one()
