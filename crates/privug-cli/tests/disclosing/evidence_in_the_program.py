# release: a value that the program itself was told, and a total
# why: what the program conditions on is known to the attacker, and with the total it leaves one person.
# analyze: --prior 'x=Normal(50, std=10, size=3)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
from privug import condition


def release(x):
    condition(x[1], 40)
    condition(x[2], 60)
    return sum(x)
