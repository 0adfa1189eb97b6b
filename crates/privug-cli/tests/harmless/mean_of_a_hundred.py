# release: the mean of a hundred people
# why: it tells 1/2 log2(100/99), 0.007 bits, about each of them.
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --require 'posterior_std >= 9' --require
#   'fully_disclosed <= 0'
# cli, source, live: passes
def release(x):
    return sum(x) / len(x)
