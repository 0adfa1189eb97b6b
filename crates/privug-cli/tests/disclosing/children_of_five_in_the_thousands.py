# release: a thousand times the children of five people, and the children of all others
# why: the thousands are the number of children of five people.
# audit: --table people=../tables/wealth.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: fails minimum_frequency
import numpy as np


def release(people):
    w = np.where(people.id <= 5, 1000, 1)
    return {"children": (people.children * w).sum()}
