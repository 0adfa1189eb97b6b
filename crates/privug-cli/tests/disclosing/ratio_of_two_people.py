# release: one person's value as a part of another's
# why: whoever knows one of the two knows the other; it is not linear, so it is not understood, and does not pass.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return x[0] / x[1]
