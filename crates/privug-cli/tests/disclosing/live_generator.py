# release: everybody's value, one after the other, by a generator
# why: whoever takes them from it has them.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused P100
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: fails
def release(x):
    return (one for one in x)
