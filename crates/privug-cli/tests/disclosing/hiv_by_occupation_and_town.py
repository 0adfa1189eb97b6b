# release: who has HIV, by occupation and town
# why: Some of these groups are one person, and all in Eid have it.
# audit: --table people=../tables/residents.csv --secret people.disease --person id --prior
#   'Categorical(people.disease.value_counts(normalize=True))' --sensitive 'disease == "HIV"'
# verdict: fails full_disclosure
import pandas as pd
def release(people):
    return pd.crosstab([people.job, people.town], people.disease == "HIV")
