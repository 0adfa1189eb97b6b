# refused: P403 at 4:12
def main():
    xs = Normal(0, 1, size=3)
    return xs[3]
