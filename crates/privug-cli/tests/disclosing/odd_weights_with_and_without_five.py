# release: weighted totals of all, and of all but five, with weights of three decimals
# why: the weighted total of the five follows.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: fails differencing
def release(people):
    weighted = people.income * people.weight
    return {"all": weighted.sum(), "others": weighted[people.id > 5].sum()}
