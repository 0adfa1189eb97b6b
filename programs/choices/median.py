# A published median of ages: seven people of 0 to 2, all equally likely, whose median is 1.
#
# At most three are 0 and at most three are 2: 1429 of 2187 worlds. In 423 of them the first person is 0.
#
#   privug analyze programs/choices/median.py --secret 'ages[0]' --observe 1
#
# The numbers below: worlds counted by multinomial coefficients.
# run: --secret ages[0] --observe 1
# expect: probabilities 0 423/1429 1 583/1429 2 423/1429
from statistics import median

from privug import DiscreteUniform


def release():
    ages = DiscreteUniform(0, 2, size=7)
    return median(ages)
