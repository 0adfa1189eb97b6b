# release: the mean of a hundred, rounded, in a text
# why: it is judged as if it were the mean itself, which tells little of anybody.
# analyze: --prior 'x=[Normal(50, 100) for _ in range(100)]' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: passes
def f(x):
    return f"mean: {sum(x) / len(x):.1f} euros"
