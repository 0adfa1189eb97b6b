# release: whether one person's value is one of three
# why: if it is, it is disclosed.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return x[0] in [40, 50, 60]
