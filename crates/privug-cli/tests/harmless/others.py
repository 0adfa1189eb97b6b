# release: the total of two people who are not the secret
# why: they are independent of the secret.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0'
# cli, source, live: passes
def release(x):
    return {"total": x[1] + x[2], "difference": x[2] - x[3]}
