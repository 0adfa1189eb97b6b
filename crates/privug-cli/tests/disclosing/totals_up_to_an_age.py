# release: totals up to 30, 60, 90 and 95 years
# why: Between 90 and 95 there are two people.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails dominance
# live: fails
def release(people):
    return {a: people[people.age <= a].income.sum() for a in (30, 60, 90, 95)}
