# refused: P417 at 6:24
from privug import Categorical


def main():
    return Categorical([0.2, 0.3])
