# release: a dictionary with one person's value, one of two
# why: whichever it is, the value is in it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
def release(x):
    if x[1] > 50:
        return {"value": x[0]}
    return {"value": x[0] + 1}
