# release: one person's value, which is not yet published
# why: the variance that will be left does not depend on the value; it is 0.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'Var(x[0]) >= 50'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'Std(x[0]) >= 5'
# cli, source, live: fails
def release(x):
    return x[0]
