# release: the total of women by a choice of numpy's
# why: 48 women.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
import numpy as np


def release(people):
    return np.where(people.sex == "female", people.income, 0).sum()
