# release: a dictionary whose key is a person's value
# why: the keys of a published dictionary are published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return {x[0]: "the head of the department"}
