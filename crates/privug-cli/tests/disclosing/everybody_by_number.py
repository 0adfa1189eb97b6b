# release: the mean income by the number of the register
# why: 96 groups of one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return people.groupby("id").income.mean()
