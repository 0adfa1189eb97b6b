# refused: P407 at 4:9
# refused: P407 at 5:9
def main():
    a = "one" + 1
    b = len(3)
    return Normal(0, 1)
