# release: the absolute value of one person's deviation from 50
# why: it tells the value up to a sign.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return abs(x[0] - 50)
