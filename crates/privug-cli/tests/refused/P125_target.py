# refused: P125 at 4:5
def main():
    xs = [1, 2, 3]
    xs[0:2] = [4, 5]
    return Normal(0, 1)
