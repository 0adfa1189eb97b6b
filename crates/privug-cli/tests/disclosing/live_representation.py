# release: the representation of one person's value
# why: a text of a value is the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
def release(x):
    return {"total": x[1] + x[2], "head": repr(x[0])}
