# Two harmless-looking totals, before and after one person left, give away that person's salary.
#
# expect: posterior mean 61000 variance 0
# expect: mutual_information_bits inf
# expect: fully_disclosed true
# expect: status used used
# expect: note fully disclosed
from privug import Normal, condition


def salaries():
    staff = [Normal(50_000, 8_000**2) for _ in range(10)]

    total_in_may = sum(staff)
    total_in_june = sum(staff[:-1])

    condition(total_in_may, 512_000)
    condition(total_in_june, 451_000)
    return staff[-1]
