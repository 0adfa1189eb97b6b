# refused: P111 at 6:9
# refused: P111 at 8:9
def main():
    x = Normal(0, 1)
    y = 1
    del y
    xs = [1, 2, 3]
    del xs[0:2]
    return x
