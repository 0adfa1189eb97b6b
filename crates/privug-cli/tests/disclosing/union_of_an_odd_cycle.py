# release: the totals of the three pairs among three people
# why: half of (first + second - third) is one person; no pair alone tells it.
# analyze: --prior 'x=Normal(50, std=10, size=3)' --secret 'x[0]' --require 'fully_disclosed <= 0'
# cli, source, live: fails
def release(x):
    return [x[0] + x[1], x[0] + x[2], x[1] + x[2]]
