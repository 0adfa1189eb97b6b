# refused: P104 at 2:7
class Person:
    pass


def main():
    return Normal(0, 1)
