# release: the means of two groups of thirty, seen to be 50 and 51
# why: each person is in one mean of thirty, which was about what was expected.
# python: x=privug.Normal(50, std=10, size=60), secret="x[0]", observe=pd.Series({"second": 51, "first": 50}),
#   require=["kl_posterior_prior_bits <= 0.1", "posterior_std >= 9"]
# source, live: passes
def release(x):
    return {"first": sum(x[:30]) / 30, "second": sum(x[30:]) / 30}
