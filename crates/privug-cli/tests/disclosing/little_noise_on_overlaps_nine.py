# release: totals of overlapping halves with a little noise
# why: what four people have less what five others have, with noise of less than a thousandth of it.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)' --noise 'normal(std=0.5)'
# verdict: fails differencing
def release(people):
    return {"first": people[people.id <= 130].income.sum(), "second": people[(people.id > 4) & (people.id <= 135)].income.sum()}
