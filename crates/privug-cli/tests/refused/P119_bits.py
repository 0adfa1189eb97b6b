# refused: P119 at 3:9
def main():
    a = 6.5 & 3
    b = ~7
    return Normal(0, 1)
