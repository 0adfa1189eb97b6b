# release: the total of everybody, and the total of everybody but one
# why: their difference is the one who was left out.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return {"all": people.income.sum(), "others": people[people.id != 7].income.sum()}
