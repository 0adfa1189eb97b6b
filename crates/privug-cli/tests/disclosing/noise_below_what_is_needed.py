# release: one person's value with noise of at most a fifth of what is known beforehand
# why: even the widest of these leaves a standard deviation of 1.96.
# calibrate: noise=0.000001..2 --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --smallest --require
#   'posterior_std >= 9'
# cli: fails
# calibrate: noise=0.000001..2 --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --smallest --tolerance 1
#   --require 'bayes_vulnerability_posterior <= 0.1'
# cli: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --set noise=2 --tolerance 1 --require
#   'additive_leakage <= 0.1'
# cli, source, live: fails
from privug import Normal


def release(x, noise):
    return x[0] + Normal(0, std=noise)
