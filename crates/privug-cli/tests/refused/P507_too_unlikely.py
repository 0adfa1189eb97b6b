# refused: P507 at 7:15
from privug import Poisson, condition


def main():
    calls = Poisson(1)
    condition(calls == 400)
    return calls
