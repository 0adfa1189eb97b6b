# release: diseases by sex with margins, the cell of leprosy suppressed
# why: the margin less the other diseases gives it.
# audit: --table people=../tables/clients.csv --secret people.disease --person id --prior 'Categorical(people.disease.value_counts(normalize=True))' --suppress 'table[f, leprosy]' --suppress 'table[m, leprosy]'
# verdict: fails small_count
import pandas as pd


def release(people):
    return {"table": pd.crosstab(people.sex, people.disease, margins=True)}
