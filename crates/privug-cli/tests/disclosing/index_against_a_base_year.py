# release: this year's value as an index of last year's, which is public
# why: index times public base is the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x, base=47.5):
    return 100 * x[0] / base
