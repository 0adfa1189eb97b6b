# release: the value of somebody's partner
# why: with a correlation of 0.99 the partner's value tells 2.8 bits of one's own.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(Normal(400,
#   std=50, per=hours), std=1)'
# verdict: fails
def release(people):
    return people[people.id <= 48].income.sum()
