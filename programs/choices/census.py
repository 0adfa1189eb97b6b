# A census block of three men: their mean age is 44, the median 30. Who is the youngest?
#
# The ages add up to 132, so that the other two add up to 102; the oldest is at most 90, the youngest at most 30: 12 to 30
# are left, 19 ages that are equally likely.
#
# run:
# expect: posterior_entropy_bits 4.247927513443585
# expect: posterior mean 21 variance 30
# expect: max_posterior 0.05263157894736842
from privug import DiscreteUniform, condition


def block():
    youngest = DiscreteUniform(0, 90)
    middle = DiscreteUniform(0, 90)
    oldest = DiscreteUniform(0, 90)
    condition(middle, 30)
    condition(youngest <= middle)
    condition(middle <= oldest)
    condition(youngest + middle + oldest, 132)
    return youngest
