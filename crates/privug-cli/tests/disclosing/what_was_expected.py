# release: one person's value, which was seen to be what everybody expected
# why: the belief did not move, and is certain now.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 50 --require 'effect_size <= 0.1'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 50 --require 'total_variation <= 0.5'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --observe 50 --require 'hellinger <= 0.5'
# cli, source, live: fails
def release(x):
    return x[0]
