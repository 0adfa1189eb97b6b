# release: the number of the person with the largest value
# why: it tells that this person's value is above all others.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return people.income.idxmax()
