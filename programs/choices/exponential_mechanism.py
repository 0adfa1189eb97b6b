# The exponential mechanism publishes which of two options is preferred by more of three people, each option with a
# probability proportional to 2 ^ (votes for it): eps is 2 ln 2 for the vote of one person.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret 'votes[0]'
# expect: mutual_information_bits 0.0563983687006179
# expect: bayes_vulnerability_prior 0.5
# expect: bayes_vulnerability_posterior 0.638888888888889
# expect: guessing_entropy_prior 1.5
# expect: guessing_entropy_posterior 1.36111111111111
# expect: max_posterior 0.638888888888889
# expect: max_kl_bits 0.0563983687006179
from privug import Bernoulli


def release():
    votes = [Bernoulli(0.5), Bernoulli(0.5), Bernoulli(0.5)]
    yes = votes[0] + votes[1] + votes[2]
    chances = [1 / 9, 2 / 6, 4 / 6, 8 / 9]
    return Bernoulli(chances[yes])
