# refused: P408 at 8:12
import random


def main():
    first = random.random()
    second = 2 * random.random() - 1
    return first < second
