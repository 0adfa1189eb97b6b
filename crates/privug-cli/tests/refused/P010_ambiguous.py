# refused: P010 at 2:5
def first():
    return Normal(1, 1)


def second():
    return Normal(2, 1)
