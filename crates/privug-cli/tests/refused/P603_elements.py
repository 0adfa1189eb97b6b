# refused: P603 at 4:10
# run: --max-elements 10
def main():
    xs = [0] * 100
    return Normal(len(xs), 1)
