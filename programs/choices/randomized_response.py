# Randomized response: does a person smoke? With probability 1/2 the truth is told, otherwise a coin answers.
#
# A smoker says yes with probability 3/4, anybody else with probability 1/4. The channel is symmetric, so that its capacity
# is 1 - H(1/4) and its maximal leakage log2(3/2).
#
#   privug analyze programs/choices/randomized_response.py --secret smokes
#   privug channel programs/choices/randomized_response.py --secret smokes
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret smokes
# expect: mutual_information_bits 0.159672469995536
# expect: bayes_vulnerability_prior 0.7
# expect: bayes_vulnerability_posterior 0.75
# expect: guessing_entropy_prior 1.3
# expect: guessing_entropy_posterior 1.25
# expect: max_posterior 0.875
# expect: max_kl_bits 0.213469501543013
# expect: channel_capacity_bits 0.18872187554086717
# expect: maximal_leakage_bits 0.5849625007211562
# run: --secret smokes --observe True
# expect: probabilities False 7/16 True 9/16
from privug import Bernoulli


def survey():
    smokes = Bernoulli(0.3)
    told = Bernoulli(0.5)
    coin = Bernoulli(0.5)
    answer = smokes if told else coin
    return answer
