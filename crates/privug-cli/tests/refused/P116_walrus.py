# refused: P116 at 3:25
def main():
    double = lambda x: (y := x)
    return Normal(double(2), 1)
