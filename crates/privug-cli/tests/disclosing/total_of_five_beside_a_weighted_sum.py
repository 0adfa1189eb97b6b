# release: the totals of all and of all but five, and a weighted sum over the latter
# why: the weighted sum is about the same people as one of the totals, and does not stand in its place.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    most = people[people.id > 5]
    return {"weighted": (most.age * most.income).sum(), "all": people.income.sum(), "most": most.income.sum()}
