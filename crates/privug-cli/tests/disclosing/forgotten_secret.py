# release: one person's value, with a requirement but no secret
# why: without a secret what is returned is the secret and nothing is published, so nothing was looked at; what is returned
#   will be published all the same.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --require 'posterior_std >= 9'
# cli, source, live: refused P019
# analyze: --prior 'x=Normal(50, std=10, size=4)' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused P019
def release(x):
    return x[0]
