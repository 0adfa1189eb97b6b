# release: a table of department by sex, with margins
# why: one cell is a single person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
import pandas as pd


def release(staff):
    return pd.crosstab(staff.department, staff.sex, margins=True)
