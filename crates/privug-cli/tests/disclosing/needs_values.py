# release: one person's value, which is not yet published
# why: how far the attacker moves, and what they will believe of an event, depends on the value; what is not known
#   does not pass.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'kl_posterior_prior_bits <= 0.1'
# cli, source, live: refused
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'total_variation <= 0.1'
# cli, source, live: refused
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mean_shift <= 1'
# cli, source, live: refused
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'P(abs(x[0] - 50) < 1) <= 0.2'
# cli, source, live: refused
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --truth 50 --require
#   'truth_within_1_percent_posterior <= 0.5'
# cli, source, live: refused
def release(x):
    return x[0]
