# release: the wealth of regions, and of eleven people of a ward where everybody has 1 or 2
# why: a total of eleven is no small group, and tells that each of them has next to nothing.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails near_bound
def release(people):
    some = people[(people.ward == "A1") & (people.id <= 130)]
    return {"some": some.wealth.sum(), "region": people.groupby("region").wealth.sum()}
