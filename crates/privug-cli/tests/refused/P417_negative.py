# refused: P417 at 6:24
from privug import Categorical


def main():
    return Categorical([1.2, -0.2])
