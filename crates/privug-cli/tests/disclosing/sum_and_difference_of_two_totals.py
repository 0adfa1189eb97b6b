# release: x + 2y, x − y and the total of all
# why: three people are in neither x nor y, and their total follows.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: fails differencing
def release(people):
    x, y = people[people.id <= 20].income.sum(), people[people.id > 23].income.sum()
    return {"a": x + 2 * y, "b": x - y, "all": people.income.sum()}
