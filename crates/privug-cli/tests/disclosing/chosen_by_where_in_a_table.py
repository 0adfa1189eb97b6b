# release: a sum in which everybody but one counts as zero
# why: the sum is that one.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
import numpy as np


def release(people):
    return np.where(people.id == 11, people.income, 0).sum()
