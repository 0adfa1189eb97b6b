# refused: P411 at 3:12
def main(n=0):
    assert n > 0, "the group is empty"
    return Normal(0, 1)
