# refused: P408 at 4:9
# refused: P408 at 5:9
def main():
    a = int("three")
    b = max([])
    return Normal(0, 1)
