# refused: P123 at 4:5
def main():
    x = Normal(0, 1)
    break
    return x
