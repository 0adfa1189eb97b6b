# release: a weighted total in which five people count a thousand times as much as the others
# why: what the others add is next to nothing, so that it is a total of five.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: fails minimum_frequency
# live: fails minimum_frequency
import numpy as np


def release(people):
    w = np.where(people.id <= 5, 1000, 1)
    return {"mean": (people.income * w).sum() / w.sum()}
