# refused: P302 at 4:12
def main():
    x = Normal(0, 1)
    return 1 / x
