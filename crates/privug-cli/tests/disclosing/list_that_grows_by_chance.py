# release: a list with one person's value, which is longer if another one's is above 50
# why: the value is in the list, however long it is.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    published = [1, x[0]]
    if x[1] > 50:
        published.append(3)
    return published
