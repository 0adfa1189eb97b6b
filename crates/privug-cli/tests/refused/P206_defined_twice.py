# refused: P206 at 6:5
def main():
    return Normal(0, 1)


def main():
    return Normal(1, 1)
