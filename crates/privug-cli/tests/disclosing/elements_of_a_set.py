# release: a coin, and a set that has an element where somebody is ill
# why: which elements the set has is published with it.
# analyze: --secret ill --require 'max_posterior <= 0.9'
# cli, source: refused P901
def release():
    ill = Bernoulli(0.1)
    found = {0}
    if ill:
        found.discard(0)
    return [Bernoulli(0.5), found]
