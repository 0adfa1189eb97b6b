# release: the means of two groups of 30
# why: each person is in one mean of thirty.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[0]' --secret 'x[59]' --require
#   'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    return {"first": sum(x[:30]) / 30, "second": sum(x[30:]) / 30}
