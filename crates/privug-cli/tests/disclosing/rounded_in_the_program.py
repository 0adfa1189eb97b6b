# release: one person's value, rounded to two digits by the program
# why: it is that person's value, and judged as if it were published as it is.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(x):
    return round(x[0], 2)
