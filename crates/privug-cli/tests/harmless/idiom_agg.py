# release: means by region with agg
# why: 24 people in each region.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return people.groupby("region").income.agg("mean")
