# release: HIV cases among the first 30 rows, and among the first 29
# why: the difference is whether the person of row 30 has HIV.
# audit: --table people=../tables/health.csv --secret people.disease --person id
#   --prior 'Categorical(people.disease.value_counts(normalize=True))'
# verdict: fails differencing
import numpy as np


def release(people):
    has = np.where(people.disease == "HIV", 1, 0)
    return {"30": has[:30].sum(), "29": has[:29].sum()}
