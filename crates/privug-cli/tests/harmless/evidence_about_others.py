# release: a total after somebody else's value became known
# why: 38 unknown people remain beside the secret.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
from privug import condition


def release(x):
    condition(x[1], 44)
    return sum(x)
