# refused: P307 at 4:12
def main():
    xs = [Normal(0, 1), Normal(0, 1)]
    return xs[xs[0]]
