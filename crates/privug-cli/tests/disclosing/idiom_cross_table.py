# release: a cross table of mean salaries
# why: one cell is one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
import pandas as pd


def release(staff):
    return pd.crosstab(staff.department, staff.sex, values=staff.salary, aggfunc="mean")
