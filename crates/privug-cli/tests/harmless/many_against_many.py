# release: the totals of two overlapping halves
# why: what follows is one third of the people less another, 64 people, of whom none dominates.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: passes
def release(people):
    return {
        "first": people[people.id <= 64].income.sum(),
        "second": people[people.id > 32].income.sum(),
    }
