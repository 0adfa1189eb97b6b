# refused: P113 at 5:9
def main(n=3):
    error = n
    if n < 0:
        raise error + 1
    return Normal(n, 1)
