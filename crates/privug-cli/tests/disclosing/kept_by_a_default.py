# release: a total; one person's value stays in a list that is the default of a parameter
# why: the next call finds it there.
# analyze: :release --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P901
def release(x, seen=[]):
    seen.append(x[0])
    return x[1] + x[2]
