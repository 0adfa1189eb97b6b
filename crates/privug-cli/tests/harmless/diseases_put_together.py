# release: how many people have none, one or another kind of disease, of diseases that are put together
# why: each of these counts is of many of 204 people.
# audit: --table people=../tables/wealth.csv --person id --secret people.disease
#   --prior 'Categorical(disease.value_counts(normalize=True))'
# verdict: passes
def release(people):
    kinds = people.disease.replace({"HIV": "chronic", "asthma": "chronic"})
    return kinds.value_counts().sort_index()
