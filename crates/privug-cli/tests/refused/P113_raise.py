# refused: P113 at 4:9
def main(n=-3):
    if n < 0:
        raise ValueError("n")
    return Normal(n, 1)
