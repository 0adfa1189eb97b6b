# release: the total of everybody, and the total of everybody but one
# why: their difference is the one who was left out.
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[7]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return sum(x), sum(x) - x[7]
