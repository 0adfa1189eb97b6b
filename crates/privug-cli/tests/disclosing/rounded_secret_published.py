# release: one person's income, rounded
# why: it is judged as if it were published as it is.
# analyze: --prior 'x=Normal(50, 100)' --secret x --require 'mutual_information_bits <= 1'
# cli, source, live: fails
def f(x):
    return round(x, 1)
