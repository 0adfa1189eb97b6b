# release: one person's value, which is not yet published
# why: once it is, nothing is uncertain any more; that nothing was seen yet does not help.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'posterior_std >= 9'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'posterior_variance >= 81'
# cli, source, live: fails
def release(x):
    return x[0]
