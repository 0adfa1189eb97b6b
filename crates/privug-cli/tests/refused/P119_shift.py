# refused: P119 at 3:9
def main():
    a = 1.5 << 2
    return Normal(a, 1)
