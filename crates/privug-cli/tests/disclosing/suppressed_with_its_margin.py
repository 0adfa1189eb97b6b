# release: a crossed table whose smallest cell and its row total are suppressed
# why: both follow from the column total and the total of all.
# audit: --table people=../tables/health.csv --secret people.disease --person id
#   --prior 'Categorical(people.disease.value_counts(normalize=True))' --suppress 't[B, HIV]' --suppress 't[B, All]'
# verdict: fails recoverable
import pandas as pd


def release(people):
    return {"t": pd.crosstab(people.ward, people.disease, margins=True)}
