# refused: P107 at 8:1
# refused: P107 at 13:1
# refused: P107 at 18:1
# A bounded cache forgets, and what it forgot is drawn again; a call by name is kept apart from one by position.
from functools import cache, lru_cache


@lru_cache
def noise():
    return Normal(0, 1)


@cache
def income(person):
    return Normal(person, 1)


@register
def one():
    return 1


def main():
    return noise() + one() + income(1) + income(person=1)
