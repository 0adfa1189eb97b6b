# release: a dictionary in which two entries have the same key
# why: the second entry replaces the first, and is one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
def release(people):
    return {"mean": people.income.mean(), "mean": people[people.id == 1].income.sum()}
