# release: the total of the north at the start, and after each of three people left
# why: neighbouring totals differ by one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    north = people[people.region == "north"]
    totals = []
    for left in range(4):
        totals.append(north[north.id > 24 + left].income.sum())
    return totals
