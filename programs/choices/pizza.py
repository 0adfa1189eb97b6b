# A pizza advertisement for students who live near: what does being shown it tell about the age?
#
# People of 18 to 28 are at school with probability 0.6, others with probability 0.1; the shop is in the middle of a grid.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret age
# expect: mutual_information_bits 0.0408558065910705
# expect: bayes_vulnerability_prior 0.025
# expect: bayes_vulnerability_posterior 0.02695
# expect: guessing_entropy_prior 20.5
# expect: guessing_entropy_posterior 19.87795
# expect: max_posterior 0.0909090909090909
# expect: max_kl_bits 1.86249647625006
from privug import Bernoulli, DiscreteUniform


def advertisement():
    age = DiscreteUniform(14, 53)
    young = 18 <= age and age <= 28
    at_school = Bernoulli(0.6 if young else 0.1)
    east = DiscreteUniform(0, 9)
    north = DiscreteUniform(0, 9)
    near = abs(east - 5) + abs(north - 5) <= 2
    return young and at_school and near
