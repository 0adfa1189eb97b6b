# release: diseases by town
# why: Everybody in Eid has HIV.
# audit: --table people=../tables/residents.csv --secret people.disease --person id --prior
#   'Categorical(people.disease.value_counts(normalize=True))'
# verdict: fails full_disclosure
import pandas as pd
def release(people):
    return pd.crosstab(people.town, people.disease)
