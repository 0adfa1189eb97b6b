# release: a mean, and one person's value far inside lists and dictionaries
# why: what is published is all of the result, at every depth.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return {"mean": (x[1] + x[2]) / 2, "more": [[], [{"deep": (1, [x[0]])}]]}
