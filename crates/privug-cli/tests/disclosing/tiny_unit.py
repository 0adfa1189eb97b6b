# release: one person's value; the secret is the same value in a unit of 1e-200
# why: a unit changes nothing; the variance of the secret is too small for a double, and is not zero.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret '1e-200 * x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P505
def release(x):
    return x[0]
