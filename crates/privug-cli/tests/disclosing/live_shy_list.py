# release: a list whose iterator shows nothing
# why: the value is in the list, and is found there by its place.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
class Shy(list):
    def __iter__(self):
        return iter([])


def release(x):
    return {"total": x[1] + x[2], "values": Shy([x[0]])}
