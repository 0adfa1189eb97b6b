# Three cryptographers learn whether one of them paid for the dinner, and nothing else.
#
# Each pair shares a fair coin; each says whether the two coins differ, the one who paid says the opposite. Only the parity
# tells anything: H(1/4) bits, whether the agency (0) or one of the three (1, 2, 3) paid.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret payer
# expect: mutual_information_bits 0.811278124459133
# expect: bayes_vulnerability_prior 0.25
# expect: bayes_vulnerability_posterior 0.5
# expect: guessing_entropy_prior 2.5
# expect: guessing_entropy_posterior 1.75
# expect: max_posterior 1
# expect: max_kl_bits 2
from privug import Bernoulli, DiscreteUniform


def dinner():
    payer = DiscreteUniform(0, 3)
    coins = [Bernoulli(0.5), Bernoulli(0.5), Bernoulli(0.5)]
    said = []
    for person in range(3):
        differ = coins[person] != coins[(person + 1) % 3]
        said.append(differ != (payer == person + 1))
    return said
