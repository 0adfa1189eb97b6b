# release: a total from which one person has been taken out again
# why: the person is not in it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0'
# cli, source, live: passes
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0' --exact
# cli, source, live: passes
def release(x):
    return sum(x) - x[0]
