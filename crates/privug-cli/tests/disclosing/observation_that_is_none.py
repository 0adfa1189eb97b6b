# release: one person's value, seen to be what is not a number
# why: nothing is known of a release whose value is missing, and what is not known does not pass.
# python: x=privug.Normal(50, std=10, size=2), secret="x[0]", observe=float("nan"), require="posterior_std >= 5"
# source, live: refused
# python: x=privug.Normal(50, std=10, size=2), secret="x[0]", observe=[50], require="posterior_std >= 5"
# source, live: refused
# python: x=privug.Normal(50, std=10, size=2), secret="x[0]", observe=[50, 51, 52], require="posterior_std >= 5"
# source, live: refused
def release(x):
    return [x[0], x[1]]
