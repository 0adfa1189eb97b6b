# refused: P100 at 3:5
def main():
    type Age = float
    return Normal(3, 1)
