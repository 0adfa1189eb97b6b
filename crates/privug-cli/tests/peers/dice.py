# Finite discrete programs in the manner of the tests of Dice (github.com/SHoltzen/dice, `test/Test.ml`), written anew.
# The probabilities are those that its tests state; its integers wrap around, ours are taken modulo what it counts to.
from privug import Bernoulli, Binomial, Categorical, DiscreteUniform, condition


# run: :either_seen
# expect: probabilities False 3/23 True 20/23
def either_seen():
    x = Bernoulli(0.4)
    y = Bernoulli(0.1)
    condition(x or y)
    return x


# run: :nested_tuples
# expect: probabilities False 3/5 True 2/5
def nested_tuples():
    x = (Bernoulli(0.1), (Bernoulli(0.4), Bernoulli(0.7)))
    return x[1][0]


# run: :coin_in_a_branch
# expect: probabilities False 19/25 True 6/25
def coin_in_a_branch():
    return Bernoulli(0.6) if Bernoulli(0.4) else False


# run: :one_of_three
# expect: probabilities False 5/9 True 4/9
def one_of_three():
    x = Categorical([0.1, 0.4, 0.5])
    condition(x != 0)
    return x == 1


# run: :last_of_three
# expect: probabilities False 1/6 True 5/6
def last_of_three():
    x = Categorical([0.1, 0.4, 0.5])
    condition(x != 1)
    return x == 2


# run: :sum_modulo_four
# expect: probabilities False 3/4 True 1/4
def sum_modulo_four():
    quarter = [0.25, 0.25, 0.25, 0.25]
    return (Categorical(quarter) + Categorical(quarter)) % 4 == 1


# run: :sum_given_one_part
# expect: probabilities False 9/10 True 1/10
def sum_given_one_part():
    x = Categorical([0.3, 0.1, 0.2, 0.2, 0.2])
    y = Categorical([0.1, 0.3, 0.2, 0.2, 0.2])
    condition(x, 1)
    return (x + y) % 8 == 1


# run: :less
# expect: probabilities False 17/20 True 3/20
def less():
    return Categorical([0.1, 0.2, 0.3, 0.4]) < Categorical([0.4, 0.3, 0.2, 0.1])


# run: :less_or_equal
# expect: probabilities False 13/20 True 7/20
def less_or_equal():
    return Categorical([0.1, 0.2, 0.3, 0.4]) <= Categorical([0.4, 0.3, 0.2, 0.1])


# run: :equal_given_a_small_sum
# expect: probabilities False 18/23 True 5/23
def equal_given_a_small_sum():
    x = Categorical([0.1, 0.2, 0.3, 0.4])
    y = Categorical([0.4, 0.3, 0.2, 0.1])
    condition((x + y) % 4 < 2)
    return x == y


# run: :same_coins
# expect: probabilities False 21/50 True 29/50
def same_coins():
    return Bernoulli(0.1) == Bernoulli(0.4)


# run: :different_coins
# expect: probabilities False 29/50 True 21/50
def different_coins():
    return Bernoulli(0.1) != Bernoulli(0.4)


# run: :doubled_modulo_four
# expect: probabilities False 2/5 True 3/5
def doubled_modulo_four():
    return Categorical([0.1, 0.4, 0.5, 0.0]) * 2 % 4 == 0


# run: :uniform_below_four
# expect: probabilities False 3/5 True 2/5
def uniform_below_four():
    return DiscreteUniform(0, 9) < 4


# run: :uniform_like_another
# expect: probabilities False 3/4 True 1/4
def uniform_like_another():
    u = DiscreteUniform(1, 3)
    d = Categorical([0.0, 0.5, 0.25, 0.25])
    return u == d and u < 3


# run: :one_of_four
# expect: probabilities False 37/64 True 27/64
def one_of_four():
    return Binomial(4, 0.25) == 1


# run: :at_most_half
# expect: probabilities False 1/2 True 1/2
def at_most_half():
    return Binomial(29, 0.5) <= 14


def and_coin(test):
    return Bernoulli(0.5) and test


# run: :calls
# expect: probabilities False 3/4 True 1/4
def calls():
    return and_coin(True) and and_coin(True)


# run: :calls_with_coins
# expect: probabilities False 15/16 True 1/16
def calls_with_coins():
    return and_coin(Bernoulli(0.5)) and and_coin(Bernoulli(0.5))
