# release: a harmless mean; one person's value is printed on the way
# why: what is printed is published.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    print(x[0])
    return sum(x) / len(x)
