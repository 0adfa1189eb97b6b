# release: how many people there are by region and sex, without the men of the east
# why: there is nobody in the empty cell, and 12 people are in each of the others.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: passes
import pandas as pd


def release(people):
    chosen = people[~((people.region == "east") & (people.sex == "male"))]
    return pd.crosstab(chosen.region, chosen.sex)
