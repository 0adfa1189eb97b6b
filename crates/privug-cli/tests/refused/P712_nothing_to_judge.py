# refused: P712 at 1:1 in --require
# run: --require 'prior_std >= 1'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
