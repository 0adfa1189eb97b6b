# refused: P120 at 4:8
def main():
    xs = [Normal(0, 1), Normal(0, 1)]
    xs.shuffle()
    return xs[0]
