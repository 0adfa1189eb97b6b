# A child's genotype is published. What does it tell about the father's?
#
# An allele is carried with probability 0.1; a child inherits one of two alleles from each parent.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: :family --secret carried
# expect: mutual_information_bits 0.151205197012317
# expect: bayes_vulnerability_prior 0.81
# expect: bayes_vulnerability_posterior 0.828
# expect: guessing_entropy_prior 1.2
# expect: guessing_entropy_posterior 1.181
# expect: max_posterior 0.9
# expect: max_kl_bits 2.42192809488736
# run: :family --secret carried --observe 2
# expect: probabilities 1 9/10 2 1/10
from privug import Bernoulli


def inherit(parent):
    return parent[0] if Bernoulli(0.5) else parent[1]


def family():
    mother = [Bernoulli(0.1), Bernoulli(0.1)]
    father = [Bernoulli(0.1), Bernoulli(0.1)]
    carried = father[0] + father[1]
    child = inherit(mother) + inherit(father)
    return child
