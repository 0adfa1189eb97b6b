# refused: P606 at 1:1
# run: --max-work 0
def main():
    xs = Normal(0, 1, size=3)
    condition(xs[0] + xs[1], 1)
    condition(xs[1] + xs[2], 1)
    return xs[0]
