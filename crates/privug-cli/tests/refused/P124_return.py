# refused: P124 at 2:1
return 3


def main():
    return Normal(0, 1)
