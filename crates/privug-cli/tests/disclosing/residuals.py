# release: a mean of six people, and by how much each of them is above it
# why: mean and residual add up to the person.
# analyze: --prior 'y=Normal(50, std=10, size=6)' --secret 'y[2]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: fails
def release(y):
    mean = sum(y) / 6
    return {"mean": mean, "residuals": [one - mean for one in y]}
