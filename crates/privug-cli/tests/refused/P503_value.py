# refused: P503 at 4:18
def main():
    x = Normal(0, 1)
    condition(x, "three")
    return x
