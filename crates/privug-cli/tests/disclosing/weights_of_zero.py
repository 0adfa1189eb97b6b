# release: a weighted mean over 24 people, 23 of whom have a weight of zero
# why: contributors are those who count, and that is one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
def release(people):
    north = people[people.region == "north"]
    weight = 1 * (north.role == "head")
    return (weight * north.income).sum() / weight.sum()
