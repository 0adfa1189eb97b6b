# release: the sum of the incomes of a region, and their sum weighed by the hours that people work
# why: 37 times the first less the second leaves those seven who do not work 37 hours.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    east = people[people.region == "east"]
    return {"all": east.income.sum(), "by hours": (east.income * east.hours).sum()}
