# refused: P502 at 5:15
def main():
    x = Normal(0, 1)
    count = 10
    condition(count, 10)
    return x
