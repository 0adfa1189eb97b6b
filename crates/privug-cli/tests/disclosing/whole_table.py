# release: the table as it is
# why: the incomes are in it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return people[["name", "income"]]
