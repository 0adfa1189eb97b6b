# release: the income itself, under a requirement with its sign the wrong way round
# why: no number of bits is below 0, so the requirement says nothing.
# analyze: --prior 'x=Normal(50, 100)' --secret x --require 'mutual_information_bits >= 0'
# cli, source, live: refused
def publish(x):
    return x
