# A survey of ten people by randomized response publishes only how many said yes. What does that tell about one of them?
#
# Fewer bits than a single answer: the others' answers are noise.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --set people=5 --secret 'smokes[0]'
# expect: mutual_information_bits 0.0323258037189001
# expect: bayes_vulnerability_prior 0.7
# expect: bayes_vulnerability_posterior 0.70128
# expect: guessing_entropy_prior 1.3
# expect: guessing_entropy_posterior 1.29872
# expect: max_posterior 0.875
# expect: max_kl_bits 0.213469501543013
from privug import Bernoulli


def survey(people=10):
    smokes = [Bernoulli(0.3) for _ in range(people)]
    answers = []
    for person in range(people):
        told = Bernoulli(0.5)
        coin = Bernoulli(0.5)
        answers.append(smokes[person] if told else coin)
    yes = sum(answers)
    return yes
