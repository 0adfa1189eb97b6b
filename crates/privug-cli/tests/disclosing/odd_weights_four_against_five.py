# release: weighted totals of overlapping halves
# why: the difference is a weighted total of four people less one of five others.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)'
# verdict: fails differencing
def release(people):
    w = people.income * people.weight
    return {"first": w[people.id <= 130].sum(), "second": w[(people.id > 4) & (people.id <= 135)].sum()}
