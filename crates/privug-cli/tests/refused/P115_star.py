# refused: P115 at 4:11
# refused: P115 at 10:5
# refused: P115 at 11:15
def total(*xs):
    return 0


def main():
    xs = [Normal(0, 1), Normal(0, 1)]
    *first, *rest = xs
    y = round(**{"number": 1})
    return xs[0]
