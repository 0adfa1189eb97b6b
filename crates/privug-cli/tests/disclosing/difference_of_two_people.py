# release: two totals that share all but one person each; what is to be protected is who of the two earns more
# why: the difference of the totals is the difference of the two people.
# analyze: --prior 'x=Normal(50, std=10, size=20)' --secret 'x[0] - x[1]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return [sum(x[2:]) + x[0], sum(x[2:]) + x[1]]
