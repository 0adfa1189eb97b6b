# release: totals of a and b, b and c, a and c, each with noise of 1
# why: the total of the nine of a follows with noise of 0.9.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)' --noise 'normal(std=1)'
# verdict: fails differencing
def release(people):
    a, b, c = people.id <= 9, (people.id > 9) & (people.id <= 60), people.id > 60
    return {"ab": people[a | b].income.sum(), "bc": people[b | c].income.sum(), "ac": people[a | c].income.sum()}
