# release: a report with a mean of forty, whose class computes shares of it
# why: the shares are multiples of the mean.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
class Report:
    def __init__(self, mean):
        self.mean = mean

    @property
    def half(self):
        return self.mean / 2


def release(x):
    return Report(sum(x) / len(x))
