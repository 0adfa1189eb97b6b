# release: a sum over people in the order of their public ages
# why: the order is that of public numbers, and a sum has none.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    ages = [20 + (7 * i) % 40 for i in range(40)]
    order = sorted(range(40), reverse=True)
    oldest = [i for i in order if ages[i] >= 30]
    return sum([x[i] for i in oldest]) / len(oldest)
