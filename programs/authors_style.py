# The first case of the public statistics in the style of the authors' own programs: standard deviations by name, a
# running total, and a factor instead of a division.
#
# Here `std=100` makes the variance 10 000, so the attacker knows less beforehand than in case1.py.
#
# expect: prior mean 480000 variance 10000
# expect: posterior mean 483000 variance 9000
# expect: mutual_information_bits 0.076001546722524992
# expect: exact mean 483000 variance 9000
from privug import Normal, condition


def agg():
    means = [480_000, 490_000, 440_000, 420_000, 490_000, 490_000, 520_000, 490_000, 470_000, 400_000]
    incomes = []
    for mean in means:
        incomes.append(Normal(mu=mean, std=100))

    total = 0
    for x in incomes:
        total = total + x
    average = 0.1*total

    condition("average", 472_000)
    return incomes[0]
