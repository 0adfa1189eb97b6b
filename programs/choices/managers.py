# Four people work in a department; each is a manager with probability 1/10. The mean of their incomes is published.
#
# Incomes are Normal(50, 25) for staff and Normal(90, 100) for managers, in thousands. With k managers the mean has the mean
# 50 + 10 k and the variance (25 (4 - k) + 100 k) / 16; 61 is about what one manager makes likely.
#
# run:
# expect: probabilities False 0.747345453443543 True 0.252654546556457
from privug import Bernoulli, Normal, condition


def department():
    manager = [Bernoulli(0.1) for _ in range(4)]
    incomes = []
    for person in range(4):
        staff = Normal(50, 25)
        boss = Normal(90, 100)
        incomes.append(boss if manager[person] else staff)
    mean = sum(incomes) / 4
    condition(mean, 61)
    return manager[0]
