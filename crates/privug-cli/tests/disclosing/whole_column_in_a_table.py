# release: the incomes of everybody
# why: they are what nobody should learn.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return people.income
