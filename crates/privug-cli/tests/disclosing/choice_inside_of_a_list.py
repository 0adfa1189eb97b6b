# release: a list, one of two, that says whether one person's value is above 50
# why: both lists say it: one bit.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    if x[1] > 50:
        return [x[0] > 50, 1]
    return [x[0] > 50, 2]
