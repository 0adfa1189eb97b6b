# release: a function that returns one person's value when it is called
# why: whoever has the function has the value.
# analyze: :release --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: refused
def release(x):
    return {"total": x[1] + x[2], "later": lambda: x[0]}
