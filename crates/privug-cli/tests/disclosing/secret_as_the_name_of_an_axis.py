# release: a table by region and sex, whose rows are called by somebody's income
# why: the name of an axis is printed in the corner of the table.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: refused
import pandas as pd


def release(people):
    return pd.crosstab(people.region, people.sex, values=people.income, aggfunc="sum", rownames=[people.income.iloc[3]])
