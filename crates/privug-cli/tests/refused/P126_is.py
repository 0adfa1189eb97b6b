# refused: P126 at 3:8
def main(n=3):
    if n is 3:
        n = 4
    return Normal(n, 1)
