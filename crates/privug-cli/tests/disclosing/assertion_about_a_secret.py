# release: a mean, if the program did not stop at an assertion about one person
# why: that something is published tells that the assertion held.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    assert x[0] > 50
    return (x[1] + x[2]) / 2
