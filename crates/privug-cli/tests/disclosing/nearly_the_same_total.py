# release: a total, and the same total with a weight of one billionth more on one person
# why: the difference is a billionth of that person, and a billion is a known number.
# analyze: --prior 'x=Normal(50, std=10, size=10)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return sum(x), sum(x) + 1e-9 * x[0]
