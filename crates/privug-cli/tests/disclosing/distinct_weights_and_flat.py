# release: the total of income, and the same with weights that differ for four people
# why: the difference is about four people.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)'
# verdict: fails differencing
import numpy as np


def release(people):
    w = np.where(people.id <= 4, 1.0 + 0.1234567 * people.id, 1.0)
    return {"flat": people.income.sum(), "weighed": (people.income * w).sum()}
