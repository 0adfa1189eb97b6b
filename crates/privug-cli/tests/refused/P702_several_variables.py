# refused: P702 at 1:1 in --query
# run: --query 'P(x > 0 and y > 0)'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
