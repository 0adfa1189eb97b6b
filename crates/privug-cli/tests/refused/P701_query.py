# refused: P701 at 1:1 in --query
# run: --query 'median(x)'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
