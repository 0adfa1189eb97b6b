# refused: P703 at 1:1 in --require
# run: --require 'mutual_informaton_bits <= 0.1'
def main():
    x = Normal(0, 1)
    y = Normal(0, 1)
    condition(x + y, 1)
    return x
