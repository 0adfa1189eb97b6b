# refused: P308 at 4:22
def main():
    variance = Normal(1, 1)
    return Normal(0, variance)
