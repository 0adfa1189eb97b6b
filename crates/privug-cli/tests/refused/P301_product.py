# refused: P301 at 5:12
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    return x * y
