# release: the same two numbers, as a tuple or as a list
# why: which of the two it is tells whether the value is above 50.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return {"numbers": (1, 2) if x[0] > 50 else [1, 2]}
