# release: the incomes of everybody
# why: they are what nobody should learn.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return x
