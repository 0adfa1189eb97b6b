# release: one person's value, which is not yet published
# why: once it is, the person is fully disclosed.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'fully_disclosed <= 0'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'fully_disclosed == 0'
# cli, source, live: fails
def release(x):
    return x[0]
