# refused: P119 at 4:9
# refused: P119 at 5:9
def main():
    a = 6 << 3
    b = ~7
    return Normal(0, 1)
