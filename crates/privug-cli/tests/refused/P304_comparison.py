# refused: P304 at 4:13
def main():
    x = Normal(0, 1)
    known = x == 0
    return x
