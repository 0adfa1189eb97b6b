# release: by how much the mean wealth of a poor ward is below that of all, and that of all
# why: the two together are the mean of the ward, where everybody has 1 or 2.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails differencing near_bound
def release(people):
    poor = people[people.ward == "A1"]
    return {"gap": poor.wealth.mean() - people.wealth.mean(), "all": people.wealth.mean()}
