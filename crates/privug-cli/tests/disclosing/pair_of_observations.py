# release: two people's values, which were seen to be 50 and 51
# why: a pair of values is two values, and not one with a standard deviation.
# python: x=privug.Normal(50, std=10, size=2), secret="x[0]", observe=(50, 51), require="posterior_std >= 5"
# source, live: fails
def release(x):
    return x[0], x[1]
