# release: a remark that depends on one person's value, beside a mean
# why: the remark tells whether the value is above 50.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
def release(x):
    if x[0] > 50:
        return {"remark": 1, "mean": (x[1] + x[2]) / 2}
    return {"remark": 0, "mean": (x[1] + x[2]) / 2}
