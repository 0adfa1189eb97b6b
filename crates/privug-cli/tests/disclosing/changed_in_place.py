# release: one person's value, after it was replaced in the list
# why: the value was kept before it was replaced.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    kept = [one for one in x]
    x[0] = 0
    return kept[0], x[1]
