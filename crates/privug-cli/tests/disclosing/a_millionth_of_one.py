# release: the total of a region, and a total in which one person has a little more weight
# why: a million times the difference is the income of that person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails full_disclosure
def release(people):
    east = people[people.region == "east"]
    head = east[east.name == "Ane"]
    return {"total": east.income.sum(), "adjusted": east.income.sum() + head.income.sum() / 1_000_000}
