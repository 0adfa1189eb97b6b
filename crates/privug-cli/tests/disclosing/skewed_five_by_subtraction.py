# release: totals of a ward with and without five people, under a skewed prior
# why: the five follow together.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'LogNormal(mean=450, std=200)'
# verdict: fails differencing
def release(people):
    ward = people[people.ward == "A"]
    return {"all": ward.income.sum(), "others": ward[ward.id > 5].income.sum()}
