# refused: P607 at 5:12
def main():
    xs = [Normal(0, 1)]
    xs.append(xs)
    return xs
