# A smart grid: the meters of three houses report their sum, and an attacker asks whether one of them is at home.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret 'home[0]'
# expect: mutual_information_bits 0.133661195056121
# expect: bayes_vulnerability_prior 0.6
# expect: bayes_vulnerability_posterior 0.685064
# expect: guessing_entropy_prior 1.4
# expect: guessing_entropy_posterior 1.314936
# expect: max_posterior 1
# expect: max_kl_bits 0.736965594166206
from privug import Bernoulli, Categorical


def load():
    home = [Bernoulli(0.6) for _ in range(3)]
    total = 0
    for house in range(3):
        if home[house]:
            used = Categorical([0.1, 0.3, 0.4, 0.2])
        else:
            used = Categorical([0.8, 0.2])
        total += used
    return total
