# release: the weighted diagonal
# why: a row less a column leaves four people against five.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)'
# verdict: fails differencing
def release(people):
    row = (people.id <= 4) | ((people.id > 9) & (people.id <= 120))
    column = (people.id <= 4) | (people.id > 120)
    w = people.income * people.weight
    return {"rows": w.groupby(row).sum(), "columns": w.groupby(column).sum()}
