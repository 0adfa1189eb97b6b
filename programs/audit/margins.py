"""The same incomes as a crossed table with its margins: seven of the figures follow from the other eight.

    privug audit margins.py --table people=incomes.csv --secret people.income \\
        --prior 'Normal(prior_mean, prior_variance)'
"""

import pandas as pd


def release(people):
    means = pd.crosstab(people.age_group, people.sex, values=people.income, aggfunc="mean", margins=True)
    return {"people": len(people), "mean income": means}
