# release: shares of diseases by town
# why: A share of 1 is everybody.
# audit: --table people=../tables/residents.csv --secret people.disease --person id --prior
#   'Categorical(people.disease.value_counts(normalize=True))'
# verdict: fails full_disclosure
import pandas as pd
def release(people):
    return pd.crosstab(people.town, people.disease, normalize="index").round(3)
