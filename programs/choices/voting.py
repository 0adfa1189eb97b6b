# Five people vote for one of three candidates, and the tallies are published. What do they tell about one vote?
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret 'votes[0]'
# expect: mutual_information_bits 0.350177597780758
# expect: bayes_vulnerability_prior 0.5
# expect: bayes_vulnerability_posterior 0.596
# expect: guessing_entropy_prior 1.7
# expect: guessing_entropy_posterior 1.5054
# expect: max_posterior 1
# expect: max_kl_bits 2.32192809488736
# run: --secret 'votes[0]' --observe 'return[0]=5' --observe 'return[1]=0'
# expect: probabilities ann 1
from privug import Categorical


def election():
    votes = [Categorical({"ann": 0.5, "bob": 0.3, "cem": 0.2}) for _ in range(5)]
    ann = sum(vote == "ann" for vote in votes)
    bob = sum(vote == "bob" for vote in votes)
    return [ann, bob]
