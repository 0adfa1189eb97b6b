# release: the mean of fifty people, which was seen to be 50
# why: the chance that the first is within 1 of 50 stays below a tenth.
# analyze: --prior 'x=Normal(50, std=10, size=50)' --secret 'x[0]' --observe 50 --require 'P(abs(x[0] - 50) < 1) <=
#   0.1'
# cli, source, live: passes
def release(x):
    return sum(x) / len(x)
