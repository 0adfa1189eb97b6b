# release: 0 or False, by a coin that is the secret
# why: 0 and False are equal, and whoever sees the output can tell them apart.
# analyze: --secret x --observe 0 --require 'max_posterior <= 0.7'
# cli: refused
# analyze: --secret x --require 'max_posterior <= 0.7'
# cli: fails
from privug import Bernoulli


def main():
    x = Bernoulli(0.5)
    return 0 if x else False
