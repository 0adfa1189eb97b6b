# release: whether two people have the same value
# why: if they do, each of them knows the other.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return {"same": x[0] == x[1], "mean": (x[2] + x[3]) / 2}
