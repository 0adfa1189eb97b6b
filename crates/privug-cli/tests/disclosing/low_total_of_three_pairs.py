# release: the wealth of each two of three wards, in one of which everybody has 1 or 2
# why: the first and the third less the second is twice the total of the poor ward.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails differencing near_bound
def release(people):
    ward = people.groupby("ward").wealth.sum()
    return {"a": ward["A1"] + ward["A2"], "b": ward["A2"] + ward["A3"], "c": ward["A1"] + ward["A3"]}
