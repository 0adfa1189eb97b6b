# release: the last digits of one person's value
# why: with a rounded figure they give the value back.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
def release(x):
    return x[0] % 10
