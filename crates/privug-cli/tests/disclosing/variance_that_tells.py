# release: a number whose spread depends on one person's value
# why: a number far away from 0 tells that the spread is the large one.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
def release(x):
    spread = 1000 if x[0] > 50 else 0.001
    return Normal(0, std=spread)
