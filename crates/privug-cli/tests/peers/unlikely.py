# What is too unlikely for a double is not impossible. The probabilities are derived by hand.
from privug import Bernoulli, Binomial, condition


# run: :no_heads_at_all
# expect: probabilities 0 1/2 1 1/2
def no_heads_at_all():
    heads = Binomial(1100, 0.5)
    condition(heads == 0)
    return heads + Bernoulli(0.5)


# Both have the probability 2 ** -1100 here.
# run: :all_or_nothing
# expect: probabilities 0 1/2 1100 1/2
def all_or_nothing():
    heads = Binomial(1100, 0.5)
    condition(heads == 0 or heads == 1100)
    return heads
