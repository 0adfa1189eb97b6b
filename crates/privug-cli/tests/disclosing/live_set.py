# release: a set of everybody's values
# why: a set is a list without an order.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return {"total": x[1] + x[2], "all": {x[0], x[3]}}
