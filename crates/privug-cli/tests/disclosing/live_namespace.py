# release: a namespace with one person's value
# why: its attributes are published with it.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
from types import SimpleNamespace


def release(x):
    return {"total": x[1] + x[2], "head": SimpleNamespace(salary=x[0])}
