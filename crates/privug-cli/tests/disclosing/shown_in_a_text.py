# release: one person's income in a text
# why: whoever reads the text knows it.
# analyze: --prior 'x=Normal(50, 100)' --secret x --require 'mutual_information_bits <= 1'
# cli, source, live: fails
def f(x):
    return f"income: {x:.2f}"
