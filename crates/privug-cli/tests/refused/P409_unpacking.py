# refused: P409 at 3:5
def main():
    a, b = Normal(0, 1, size=3)
    return a
