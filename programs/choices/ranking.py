# Three people rank three candidates; two points for a first and one for a second place. The points are published.
#
# A ballot is one of the six orders; the lists hold the points that each order gives to the first and the second candidate.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret 'ballots[0]'
# expect: mutual_information_bits 0.729606002270491
# expect: bayes_vulnerability_prior 0.166666666666667
# expect: bayes_vulnerability_posterior 0.425925925925926
# expect: guessing_entropy_prior 3.5
# expect: guessing_entropy_posterior 2.25
# expect: max_posterior 1
# expect: max_kl_bits 2.58496250072116
from privug import DiscreteUniform


def election():
    to_first = [2, 2, 1, 0, 1, 0]
    to_second = [1, 0, 2, 2, 0, 1]
    ballots = [DiscreteUniform(0, 5) for _ in range(3)]
    first = sum(to_first[ballot] for ballot in ballots)
    second = sum(to_second[ballot] for ballot in ballots)
    return [first, second]
