# release: one person's value, cut off to a whole number
# why: it tells the value to within one.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return int(x[0])
