# release: a sum with a weight of 1e17 on somebody else, and that somebody
# why: the first less 1e17 times the second is the person; that doubles cannot tell is no protection.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1' --exact
# cli, source, live: fails
def release(x):
    return x[0] + 1e17 * x[1], x[1]
