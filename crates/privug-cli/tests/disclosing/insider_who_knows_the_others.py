# release: the total of everybody, to somebody who knows all others exactly
# why: the total less what is known beforehand is the one person.
# analyze: --prior 'x=[Normal(50, std=10), 40, 45, 60]' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return sum(x)
