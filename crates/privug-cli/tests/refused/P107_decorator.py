# refused: P107 at 6:1
def twice(f):
    return f


@twice
def main():
    return Normal(0, 1)
