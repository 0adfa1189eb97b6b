# release: the means of two groups of thirty, one of which has been seen
# why: when the other is seen too, each person is still in one mean of thirty.
# analyze: --prior 'x=Normal(50, std=10, size=60)' --secret 'x[0]' --observe 'return["first"]=51' --require
#   'posterior_std >= 9' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def release(x):
    return {"first": sum(x[:30]) / 30, "second": sum(x[30:]) / 30}
