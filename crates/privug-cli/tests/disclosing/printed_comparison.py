# release: whether somebody else has more than 50, and whether the first person has, which is printed
# why: what is printed is published.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P30
def release(x):
    print([x[0] > 50])
    return x[1] > 50
