# refused: P116 at 3:20
def main():
    f = lambda x: (y := x) + 1
    return Normal(f(1), 1)
