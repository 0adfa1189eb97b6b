# release: totals with square roots as weights, of everybody and of everybody but one
# why: the difference is the income of that person times a known root.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails full_disclosure
import numpy as np


def release(people):
    weighted = np.sqrt(people.age) * people.income
    return {"all": weighted.sum(), "others": weighted[people.name != "Ane"].sum()}
