# release: weighted totals of overlapping halves with little noise
# why: nine people weighed, with next to no noise.
# audit: --table people=../tables/clients.csv --secret people.income --person id --prior 'Normal(mean=400, std=110)' --noise 'normal(std=0.5)'
# verdict: fails differencing
def release(people):
    w = people.income * people.weight
    return {"first": w[people.id <= 130].sum(), "second": w[(people.id > 4) & (people.id <= 135)].sum()}
