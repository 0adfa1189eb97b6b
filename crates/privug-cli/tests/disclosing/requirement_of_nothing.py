# release: one person's value, with requirements that every release would meet
# why: a gate that cannot close is no gate.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits != 0.1'
# cli, source, live: refused P712
# analyze: --prior 'x=Normal(50, 0, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret '0 * x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return x[0]
