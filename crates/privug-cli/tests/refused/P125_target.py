# refused: P125 at 4:5
def main():
    xs = [1, 2, 3]
    xs.first = 4
    return Normal(0, 1)
