# release: the number and the mean of each region
# why: 24 people each.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return people.groupby("region").income.agg(["mean", "count"])
