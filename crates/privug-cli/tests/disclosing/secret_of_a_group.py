# release: the mean of a team; what is to be protected is the team's total
# why: the total is the mean times the number of its members.
# analyze: --prior 'x=Normal(50, std=10, size=30)' --secret 'sum(x)' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return sum(x) / len(x)
