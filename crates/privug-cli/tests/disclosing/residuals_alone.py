# release: by how much each of six people is above their mean, without the mean
# why: five sixths of the variance is told: 1/2 log2(6) is 1.29 bits.
# analyze: --prior 'y=Normal(50, std=10, size=6)' --secret 'y[2]' --require 'mutual_information_bits <= 1'
# cli, source, live: fails
def release(y):
    mean = sum(y) / 6
    return [one - mean for one in y]
