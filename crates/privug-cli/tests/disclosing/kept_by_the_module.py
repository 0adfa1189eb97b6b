# release: a total; one person's value stays in a global variable
# why: whoever has the variable has the value, and nobody knows what becomes of it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P901
SEEN = []


def release(x):
    SEEN.append(x[0])
    return x[1] + x[2]
