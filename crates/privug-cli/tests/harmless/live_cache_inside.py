# release: a mean of forty, computed with a cache of the function's own
# why: the cache is forgotten with the call.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
def release(x):
    sums = {0: 0}
    for place, value in enumerate(x):
        sums[place + 1] = sums[place] + value
    return sums[len(x)] / len(x)
