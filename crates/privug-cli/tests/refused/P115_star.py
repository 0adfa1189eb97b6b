# refused: P115 at 3:11
# refused: P115 at 9:12
def total(*xs):
    return 0


def main():
    xs = [Normal(0, 1), Normal(0, 1)]
    first, *rest = xs
    return xs[0]
