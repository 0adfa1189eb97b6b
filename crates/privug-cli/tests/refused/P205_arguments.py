# refused: P205 at 9:9
# refused: P205 at 10:24
# refused: P205 at 11:24
def mean(xs, weights):
    return sum(xs)


def main():
    a = mean([1])
    b = mean([1], [2], [3])
    c = mean([1], [2], weight=[2])
    return Normal(0, 1)
