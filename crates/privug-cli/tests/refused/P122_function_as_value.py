# refused: P122 at 6:9
# refused: P122 at 7:14
import math

def main():
    f = math
    doubled = map(abs, [1, 2])
    return Normal(0, 1)
