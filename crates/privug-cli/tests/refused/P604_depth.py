# refused: P604 at 3:12
def forever(n):
    return forever(n + 1)


def main():
    return Normal(forever(0), 1)
