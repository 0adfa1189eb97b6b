# release: the total of all and of those up to 90
# why: Three people are older than 90.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails differencing
# live: fails
def release(people):
    return {"all": people.income.sum(), "to 90": people[people.age <= 90].income.sum()}
