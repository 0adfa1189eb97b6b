# release: the sum of squares of a person and the square of another
# why: their difference is the square of the person; it is not linear, so it is not understood, and does not pass.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return x[0] ** 2 + x[1] ** 2, x[1] ** 2
