# release: the wealth of regions, and of three of the four wards of one
# why: what is left of the region is the total of the ward where everybody has 1 or 2.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails differencing near_bound
def release(people):
    some = people[people.ward.isin(["A2", "A3", "A4"])]
    return {"region": people.groupby("region").wealth.sum(), "ward": some.groupby("ward").wealth.sum()}
