# release: one person's value as a text
# why: a text of a value is the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
def release(x):
    return {"mean": (x[1] + x[2]) / 2, "remark": str(x[0])}
