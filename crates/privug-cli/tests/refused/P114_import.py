# refused: P114 at 2:8
import polars


def main():
    return Normal(0, 1)
