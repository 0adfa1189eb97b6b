# release: the coefficients of a regression through two points
# why: a line through two points gives both of them back.
# analyze: --prior 'y=Normal(50, std=10, size=2)' --secret 'y[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(y):
    slope = (y[1] - y[0]) / 2
    return {"slope": slope, "intercept": y[0] - slope * 1}
