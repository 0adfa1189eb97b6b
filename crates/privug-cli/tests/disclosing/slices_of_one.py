# release: the mean of a slice that holds one person
# why: a slice of one is that person, however it is cut.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'fully_disclosed <= 0'
# cli, source, live: fails
def release(x):
    first = x[::4]
    return sum(first) / len(first), sum(x[-3:]) / 3
