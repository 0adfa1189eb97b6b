# release: the total of everybody, and of everybody but five
# why: the difference is the total of the five, which nobody would publish.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    return {"all": people.income.sum(), "most": people[people.id > 5].income.sum()}
