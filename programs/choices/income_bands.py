# Incomes are published in three bands. What is known about an income is then a piece of a normal distribution.
#
# The bands have the probabilities P(Z <= -1), P(-1 < Z <= 1) and P(Z > 1); which one it is tells their entropy.
#
# run: --secret income
# expect: mutual_information_bits 1.2187432283171222
# run: --secret income --observe '"high"'
# expect: posterior mean 75.25135276160982
# expect: kl_posterior_prior_bits 2.656032797424106
from privug import Normal


def release():
    income = Normal(60, 100)
    if income > 70:
        return "high"
    elif income > 50:
        return "middle"
    else:
        return "low"
