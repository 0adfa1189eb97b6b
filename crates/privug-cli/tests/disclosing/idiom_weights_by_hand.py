# release: a sum over rows with weights from a comparison
# why: the weight of all but one person is zero.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
import numpy as np


def release(staff):
    return np.dot(1 * (staff.department == "laboratory"), staff.salary)
