# release: means of the quarters of ages
# why: the groups are large, and their limits are ages.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
import pandas as pd


def release(people):
    return people.groupby(pd.qcut(people.age, 4), observed=True).income.mean()
