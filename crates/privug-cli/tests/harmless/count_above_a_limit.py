# release: how many of forty have more than 60
# why: one of forty changes a count by one, which is hardly seen: 0.02 bits.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: passes
def release(x):
    return sum([1 if value > 60 else 0 for value in x])
