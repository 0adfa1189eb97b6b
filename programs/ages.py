# The average age of a group is published. How much does it tell about one member's age?
#
# An ordinary function: what the attacker knows and what was published are given beside it.
#
#   privug analyze programs/ages.py --prior 'ages=[Normal(35, 4) for _ in range(100)]' --secret 'ages[0]' --observe 44
#
# Without --observe the question is what publishing the average would tell, whatever it turns out to be.
#
# run: --prior 'ages=[Normal(35, 4) for _ in range(100)]' --secret 'ages[0]' --observe 44
# expect: prior mean 35 variance 4
# expect: posterior mean 44 variance 3.96
# expect: mutual_information_bits 0.007249784847557539
# expect: exact mean 44 variance 99/25
#
# run: --prior 'ages=[Normal(35, 4) for _ in range(100)]' --secret 'ages[0]' --observe '44±0.2'
# expect: posterior mean 39.5 variance 3.98
#
# run: --prior 'ages=[Normal(35, 4) for _ in range(100)]' --secret 'ages[0]'
# expect: posterior mean 35 variance 4
# expect: mutual_information_bits 0.007249784847557539
# expect: posterior_std 1.9899748742132399
from typing import List


def average_age(ages: List[float]):
    return sum(ages) / len(ages)
