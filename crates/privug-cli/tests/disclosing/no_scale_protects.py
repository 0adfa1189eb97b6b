# release: one person's value in some unit, and the search for a unit that protects it
# why: a unit is known; in every one of them the value is disclosed, so the search has to end with nothing.
# calibrate: scale=0.001..1000 --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'posterior_std >= 9'
# cli: fails
# calibrate: scale=0.001..1000 --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require
#   'mutual_information_bits <= 0.1'
# cli: fails
# compare: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --set scale=0.001 --require 'posterior_std >= 9'
# cli: fails
# compare: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --set scale=0.001 --require
#   'mutual_information_bits <= 0.1'
# cli: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --set scale=0.001 --require
#   'density_leakage_limit_bits <= 1'
# cli, source, live: fails
def release(x, scale):
    return scale * x[0]
