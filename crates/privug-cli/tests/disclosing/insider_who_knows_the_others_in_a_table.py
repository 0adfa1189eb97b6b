# release: the total of everybody, to somebody who knows all others exactly
# why: the total less what is known beforehand is the one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(income,
#   std=np.where(id == 1, 50, 0))'
# verdict: fails full_disclosure
def release(people):
    return people.income.sum()
