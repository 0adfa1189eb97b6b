# release: who is ill by sex, with margins
# why: cells of 48 people.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: passes
import pandas as pd


def release(people):
    return pd.crosstab(people.sex, people.ill, margins=True)
