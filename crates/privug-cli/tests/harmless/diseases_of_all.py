# release: how many have each disease
# why: as often as the attacker expects, among 96 people.
# audit: --table people=../tables/health.csv --secret people.disease --person id
#   --prior 'Categorical(people.disease.value_counts(normalize=True))'
# verdict: passes
def release(people):
    return people.disease.value_counts().sort_index()
