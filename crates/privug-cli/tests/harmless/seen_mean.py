# release: the mean of a hundred people, which was seen to be 51
# why: it moves the attacker by a hundredth of what it moved by itself.
# analyze: --prior 'x=Normal(50, std=10, size=100)' --secret 'x[0]' --observe 51 --require 'kl_posterior_prior_bits
#   <= 0.1' --require 'posterior_std >= 9'
# cli, source, live: passes
def release(x):
    return sum(x) / len(x)
