# release: the names of the people in the order of their incomes
# why: the order tells who earns more than whom, and all incomes are told to within their neighbours.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return sorted(x)
