# refused: P712 at 1:1 in --require
# run: --prior 'x=Normal(50, std=10, size=3)' --secret '1e-200 * x[0]' --require 'mutual_information_bits <= 0.1'
def main(x):
    return x[0] + x[1]
