# release: one person's value, seen through noise of a thousandth
# why: noise that small hides nothing: log2(10/0.001) is 13 bits.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe '57±0.001' --require
#   'mutual_information_bits <= 0.1'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe '57±0.001' --require 'posterior_std >= 1'
# cli, source, live: fails
def release(x):
    return x[0]
