# release: the value of somebody's partner
# why: with a correlation of 0.99 the partner's value tells 2.8 bits of one's own.
# analyze: --prior 'x=MultivariateNormal([50, 50], [[100, 99], [99, 100]])' --secret 'x[0]' --require
#   'mutual_information_bits <= 1'
# cli, source, live: fails
def release(x):
    return x[1]
