# A service tells whether a person is within three blocks of a restaurant. Where on a grid of ten by ten is the person?
#
# 25 of the 100 places are: the answer tells H(1/4) bits, and a yes leaves 25 places, a no 75.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret place
# expect: mutual_information_bits 0.811278124459134
# expect: bayes_vulnerability_prior 0.01
# expect: bayes_vulnerability_posterior 0.02
# expect: guessing_entropy_prior 50.5
# expect: guessing_entropy_posterior 31.75
# expect: max_posterior 0.04
# expect: max_kl_bits 2
# run: --secret place --gain 'abs(guess // 10 - secret // 10) + abs(guess % 10 - secret % 10) <= 1'
# expect: g_vulnerability_posterior 0.1
# expect: g_leakage 1
from privug import DiscreteUniform


def nearby():
    east = DiscreteUniform(0, 9)
    north = DiscreteUniform(0, 9)
    place = 10 * east + north
    return abs(east - 4) + abs(north - 4) <= 3
