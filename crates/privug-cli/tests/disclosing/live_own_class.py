# release: an object of a class of one's own that holds one person's value
# why: what an object holds is published with it, however it is held.
# analyze: :release --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
class Report:
    __slots__ = ("_head",)

    def __init__(self, head):
        self._head = head


def release(x):
    return {"total": x[1] + x[2], "report": Report(x[0])}
