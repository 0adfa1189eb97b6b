# release: means of twenty and twenty, in a dictionary with methods of its own
# why: how the dictionary is asked does not matter.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
class Means(dict):
    def __getattr__(self, name):
        return self[name]

    def largest_group(self):
        return "women"


def release(x):
    return Means(women=sum(x[:20]) / 20, men=sum(x[20:]) / 20)
