# release: how many of the others have more than 60
# why: nothing of the first person is in it.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: passes
def release(x):
    return sum([1 if value > 60 else 0 for value in x[1:]])
