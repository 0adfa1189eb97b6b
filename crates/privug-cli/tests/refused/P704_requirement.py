# refused: P704 at 1:1 in --require
# run: --require 'mutual_information_bits'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
