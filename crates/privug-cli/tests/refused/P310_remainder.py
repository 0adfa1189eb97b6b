# refused: P310 at 5:9
# refused: P310 at 6:9
def main():
    x = Normal(0, 1)
    a = x // 2
    b = x % 2
    return x
