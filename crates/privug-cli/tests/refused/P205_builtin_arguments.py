# refused: P205 at 4:22
# refused: P205 at 5:37
def main():
    x = Normal(0, 1, 2)
    y = Normal(0, variance=1, stdev=2)
    return x
