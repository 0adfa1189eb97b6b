# release: one row of a table of wards by numbers of children
# why: the row has a column for every value that somebody has, also in wards about which nothing is published.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: refused P802
import pandas as pd


def release(people):
    return pd.crosstab(people.ward, people.children).loc["B"]
