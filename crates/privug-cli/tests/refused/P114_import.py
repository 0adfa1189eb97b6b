# refused: P114 at 2:8
import pandas


def main():
    return Normal(0, 1)
