# release: totals with square roots as weights, of everybody and of everybody but one, whose roots are computed in two ways
# why: the difference is the income of that person, but for the last digits of the roots.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=income.std())'
# verdict: refused P504
import numpy as np


def release(people):
    weight = np.sqrt(people.age)
    others = people[people.name != "Ane"]
    again = np.sqrt(others.age * 3) / np.sqrt(3)
    return {"all": (weight * people.income).sum(), "others": (again * others.income).sum()}
