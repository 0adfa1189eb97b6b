# release: one person's value if it is a number, else nothing
# why: with real values it is a number; a function that looks at what kind of thing it is given does something else
#   in the analysis than in earnest.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: fails
# live: refused
def release(x):
    head = x[0] if isinstance(x[0], (int, float)) else 0
    return {"total": x[1] + x[2], "head": head}
