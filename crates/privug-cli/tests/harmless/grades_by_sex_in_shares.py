# release: shares of grades by sex
# why: Each grade is that of many people of either sex.
# audit: --table people=../tables/residents.csv --secret people.grade --person id --prior
#   'Categorical(people.grade.value_counts(normalize=True))'
# verdict: passes
import pandas as pd
def release(people):
    return pd.crosstab(people.sex, people.grade, normalize="index")
