# release: the number of steps that a loop takes
# why: it is one person's value, cut off.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    steps = 0
    for _ in range(int(x[0])):
        steps += 1
    return steps
