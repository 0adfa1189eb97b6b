# release: a harmless mean, under a name that has a person's value in it
# why: the name is published too.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return {f"mean without {x[0]}": (x[1] + x[2] + x[3]) / 3}
