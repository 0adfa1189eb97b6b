# release: a histogram of scores in three classes
# why: each class has many of 96 people.
# audit: --table people=../tables/health.csv --secret people.score --person id --prior 'DiscreteUniform(0, 10)'
# verdict: passes
import pandas as pd


def release(people):
    return pd.cut(people.score, [-1, 3, 7, 10]).value_counts().sort_index()
