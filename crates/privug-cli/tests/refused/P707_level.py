# refused: P707 at 1:1 in --level
# run: --level 2
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
