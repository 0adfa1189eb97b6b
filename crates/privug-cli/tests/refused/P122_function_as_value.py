# refused: P122 at 7:9
def helper():
    return 1


def main():
    f = helper
    return Normal(0, 1)
