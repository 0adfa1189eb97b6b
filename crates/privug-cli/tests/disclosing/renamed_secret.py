# release: one person's value, after the parameter's name was given to something else
# why: the secret is what was given to the function, not what the name stands for when it ends.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    first = x[0]
    x = [0, 0, 0, 0]
    return first + x[1]
