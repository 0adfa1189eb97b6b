# release: a weighted total with the design weights, and with calibrated ones that differ for nine people
# why: the difference is about nine people.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)'
# verdict: fails differencing
import numpy as np


def release(people):
    design = people.weight
    calibrated = people.weight * np.where(people.id <= 9, 1.0137, 1.0)
    return {"design": (people.income * design).sum(), "calibrated": (people.income * calibrated).sum()}
