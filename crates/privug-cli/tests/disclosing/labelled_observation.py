# release: two people's values with noise; the men's was seen to be 99
# why: a value of 99, five standard deviations away, belongs to the men, in whatever order it is given.
# python: x=privug.Normal(50, std=10, size=2), secret="x[1]", observe=pd.Series({"men": 99, "women": 50}),
#   require="kl_posterior_prior_bits <= 1"
# source, live: fails
# python: x=privug.Normal(50, std=10, size=2), secret="x[1]", observe={"men": 99, "women": 50},
#   require="kl_posterior_prior_bits <= 1"
# source, live: fails
from privug import Normal


def release(x):
    return {"women": x[0] + Normal(0, std=10), "men": x[1] + Normal(0, std=10)}
