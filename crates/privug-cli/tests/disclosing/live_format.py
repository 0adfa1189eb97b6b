# release: one person's value, formatted with two digits
# why: a text of a value is the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: fails
def release(x):
    return {"total": x[1] + x[2], "head": "{:.2f}".format(x[0])}
