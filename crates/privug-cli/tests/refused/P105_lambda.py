# refused: P105 at 3:9
def main():
    f = lambda x: x + 1
    return Normal(0, 1)
