# refused: P117 at 3:10
def main():
    xs = {1, 2, 3}
    return Normal(0, 1)
