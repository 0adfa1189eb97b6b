# release: a total in which five people count twice, and the total of the others
# why: the others have the same weight in both, so that subtracting leaves twice the total of the five.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
import numpy as np


def release(people):
    twice = np.where(people.id > 5, 1, 2)
    return {"all": (twice * people.income).sum(), "most": people[people.id > 5].income.sum()}
