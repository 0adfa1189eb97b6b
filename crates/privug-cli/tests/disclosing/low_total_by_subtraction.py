# release: the wealth of all wards, and of all but one
# why: the difference is the total of a ward where everybody has 1 or 2, which tells that they have no more.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails differencing near_bound
def release(people):
    return {"all": people.wealth.sum(), "most": people[people.ward != "A1"].wealth.sum()}
