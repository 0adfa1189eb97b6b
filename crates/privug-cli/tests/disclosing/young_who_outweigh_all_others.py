# release: a weighted total, by groups, in which the six young of a ward count a thousand times as much as the others
# why: what the others add is next to nothing, so that it is a total of six.
# audit: --table people=../tables/wealth.csv --secret people.income --prior 'Normal(income.mean(), std=income.std())' --grouped
# verdict: fails minimum_frequency
import numpy as np


def release(people):
    w = np.where((people.ward == "A1") & (people.band == "young"), 1000, 1)
    return {"total": (people.income * w).sum()}
