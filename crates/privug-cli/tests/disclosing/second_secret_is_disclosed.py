# release: one person's value; two people are to be protected
# why: the first of the two secrets is safe and the second is not; the worst counts.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --secret 'x[1]' --require 'mutual_information_bits
#   <= 0.1'
# cli, source, live: fails
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[1]' --secret 'x[0]' --require 'posterior_std >= 9'
# cli, source, live: fails
def release(x):
    return {"one": x[1], "others": x[2] + x[3]}
