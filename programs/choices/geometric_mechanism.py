# A count of 0 to 4 is published with geometric noise of both signs, cut off at the ends: eps = ln 2.
#
# Truncated geometric mechanism of Ghosh, Roughgarden and Sundararajan: with alpha = 1/2, an end has the probability
# alpha^distance / (1 + alpha), a value within (1 - alpha) / (1 + alpha) alpha^distance.
#
# The numbers below: the program run once for each combination of its choices by CPython, with exact rationals.
# run: --secret count
# expect: mutual_information_bits 0.242222033812207
# expect: bayes_vulnerability_prior 0.375
# expect: bayes_vulnerability_posterior 0.458333333333333
# expect: guessing_entropy_prior 2.1875
# expect: guessing_entropy_posterior 1.890625
# expect: max_posterior 0.571428571428571
# expect: max_kl_bits 0.326816663782042
from privug import Binomial, Categorical


def release():
    count = Binomial(4, 0.5)
    rows = []
    for true in range(5):
        row = []
        for shown in range(5):
            if shown == 0 or shown == 4:
                row.append(0.5 ** abs(shown - true) / 1.5)
            else:
                row.append(0.5 ** abs(shown - true) / 3)
        rows.append(row)
    if count == 0:
        return Categorical(rows[0])
    elif count == 1:
        return Categorical(rows[1])
    elif count == 2:
        return Categorical(rows[2])
    elif count == 3:
        return Categorical(rows[3])
    else:
        return Categorical(rows[4])
