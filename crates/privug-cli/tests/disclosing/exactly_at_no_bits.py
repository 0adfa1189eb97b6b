# release: the total of a hundred people, where nothing at all may be told
# why: 0.007 bits are not 0.
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --require 'mutual_information_bits <= 0'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --require 'mutual_information_bits < 0.007'
#   --exact
# cli, source, live: fails
def release(x):
    return sum(x)
