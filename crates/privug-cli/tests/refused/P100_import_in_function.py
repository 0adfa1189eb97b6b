# refused: P100 at 3:5
def main():
    import math
    return Normal(3, 1)
