# release: a mean, and one person's value far inside lists and dictionaries
# why: what is published is all of the result, at every depth.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
def release(people):
    return {"mean": people.income.mean(), "more": [[], [{"deep": (1, [people[people.id == 1].income.sum()])}]]}
