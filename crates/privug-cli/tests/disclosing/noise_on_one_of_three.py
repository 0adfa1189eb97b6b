# release: totals of a and b, b and c, a and c; the last has a little noise
# why: the noise of 1 does not hide the total of five, of which it is a half of a thousandth.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)' --noise 'ac=normal(std=1)'
# verdict: fails differencing
def release(people):
    a, b, c = people.id <= 5, (people.id > 5) & (people.id <= 60), people.id > 60
    return {"ab": people[a | b].income.sum(), "bc": people[b | c].income.sum(), "ac": people[a | c].income.sum()}
