# release: a regression on an indicator of one person
# why: The coefficient is their income less the mean of the others.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
import numpy as np
def release(people):
    x = np.where(people.id == 7, 1.0, 0.0)
    X = np.column_stack([np.ones(len(x)), x])
    return np.linalg.lstsq(X, people.income.to_numpy(), rcond=None)[0]
