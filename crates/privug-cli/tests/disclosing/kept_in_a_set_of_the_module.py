# release: a coin, and a set of the module that has an element where somebody is ill
# why: whatever runs the function finds out whether the set has it.
# analyze: --secret ill --require 'max_posterior <= 0.9'
# cli, source: refused P901
SEEN = set()


def release():
    ill = Bernoulli(0.1)
    if ill:
        SEEN.add("ill")
    return Bernoulli(0.5)
