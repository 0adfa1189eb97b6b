# refused: P710 at 1:3 in --truth
# run: --truth 'x=1' --truth 'x=2'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
