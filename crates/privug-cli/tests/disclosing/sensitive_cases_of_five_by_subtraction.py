# release: HIV cases of the first 50 people, and of the first 45, where nothing but HIV is sensitive
# why: the difference is how many of five people have HIV: none.
# audit: --table people=../tables/health.csv --secret people.disease --person id
#   --prior 'Categorical(people.disease.value_counts(normalize=True))' --sensitive 'disease == "HIV"'
#   --rule small_count=off
# verdict: fails differencing
def release(people):
    return {
        "first 50": (people[people.id <= 50].disease == "HIV").sum(),
        "first 45": (people[people.id <= 45].disease == "HIV").sum(),
    }
