# refused: P413 at 5:36
# refused: P413 at 6:36
# refused: P413 at 7:36
def main():
    a = MultivariateNormal([0, 0], [[1, 2], [3, 4]])
    b = MultivariateNormal([0, 0], [[1, 2], [2, 1]])
    c = MultivariateNormal([0, 0], [[1]])
    return Normal(0, 1)
