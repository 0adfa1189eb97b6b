# The incomes of two partners go together. One publishes an income; what does that say about the other?
#
# Variances and covariances are in thousands squared; the correlation is 0.6.
#
# run: --secret 'incomes[1]' --observe 52
# expect: prior mean 36 variance 100
# expect: posterior mean 43.2 variance 64
# expect: mutual_information_bits 0.32192809488736235
# expect: exact mean 216/5 variance 64
from privug import MultivariateNormal


def first_income():
    incomes = MultivariateNormal([40, 36], [[100, 60], [60, 100]])
    return incomes[0]
