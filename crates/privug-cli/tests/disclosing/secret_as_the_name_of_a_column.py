# release: a mean, as a column that is called by somebody's income
# why: the name of a column is printed with it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: refused
import pandas as pd


def release(people):
    return pd.Series([people.income.mean()], name=people.income.iloc[3])
