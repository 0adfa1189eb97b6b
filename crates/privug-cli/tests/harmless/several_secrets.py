# release: the total of fifty people, three of whom are to be protected
# why: each of them is a fiftieth of the total.
# analyze: --prior 'x=Normal(50, std=10, size=50)' --secret 'x[0]' --secret 'x[1]' --secret 'x[2]' --require
#   'fully_disclosed <= 0' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    return sum(x)
