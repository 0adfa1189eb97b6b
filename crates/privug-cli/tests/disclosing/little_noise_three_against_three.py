# release: the total of the first 30 people, and of the 30 from the fourth on, with a little noise
# why: noise with a standard deviation of 0.5 hides nothing about six people.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)' --noise 'normal(std=0.5)'
# verdict: fails differencing
def release(people):
    return {"first": people[people.id <= 30].income.sum(), "second": people[(people.id > 3) & (people.id <= 33)].income.sum()}
