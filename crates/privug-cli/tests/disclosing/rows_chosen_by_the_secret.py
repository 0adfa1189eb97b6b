# release: how many people of each region earn more than 470
# why: counts of few people who are rich; what the secret decides is not understood, and does not pass.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return people[people.income > 470].groupby("region").size()
