# release: one person's value, which was seen to be 40
# why: a shift of -10 is a shift; it is not below a tenth because it goes down.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 40 --require 'mean_shift <= 0.1'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 40 --require 'effect_size <= 0.1'
# cli, source, live: fails
def release(x):
    return x[0]
