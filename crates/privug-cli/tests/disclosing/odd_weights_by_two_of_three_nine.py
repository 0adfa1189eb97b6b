# release: weighted totals of a and b, of b and c, and of a and c, where a are nine people
# why: half of the first and the last less half of the second is the weighted total of the nine.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)'
# verdict: fails differencing
def release(people):
    w = people.income * people.weight
    a, b, c = people.id <= 9, (people.id > 9) & (people.id <= 60), people.id > 60
    return {"ab": w[a | b].sum(), "bc": w[b | c].sum(), "ac": w[a | c].sum()}
