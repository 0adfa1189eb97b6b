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


# The probability is 2 ** -3000, and nothing depends on it.
# run: :no_heads_in_many_tosses
# expect: probabilities False 1/2 True 1/2
def no_heads_in_many_tosses():
    heads = Binomial(3000, 0.5)
    condition(heads == 0)
    return Bernoulli(0.5)


# 2 ** -3000 and 3000 * 2 ** -3000, times the odds of the other coin.
# run: :few_heads_in_many_tosses
# expect: probabilities 0 3000/3001 1 1/3001
def few_heads_in_many_tosses():
    heads, other = Binomial(3000, 0.5), Bernoulli(0.5)
    condition(heads + other == 1)
    return int(other)
