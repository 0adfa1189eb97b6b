# A governor's record stands in a table of 1,000 names. How many of them share the zip code and the gender?
#
# With 30 zip codes and two genders, each of the names does with probability 1/60: 1000/60 = 16.67 are expected. If the
# day of birth is known too, one in 60 * 365 does, and 1 + 999 / 21,900 = 1.0456 are expected, the governor included:
# whoever knows all three finds the record.
#
# run: --set names=1000
# expect: posterior mean 16.666666666666668
from privug import Bernoulli, DiscreteUniform


def sharing(names=1000):
    matches = 0
    for _ in range(names):
        zip_code = DiscreteUniform(1, 30)
        woman = Bernoulli(0.5)
        if zip_code == 7 and not woman:
            matches += 1
    return matches
