# refused: P115 at 4:13
def main():
    xs = [Normal(0, 1), Normal(0, 1)]
    *first, *rest = xs
    return xs[0]
