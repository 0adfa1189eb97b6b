# release: the weighted mean wealth of a ward where everybody has 1 or 2
# why: weights are public, so that nobody can have more than what the mean leaves at their weight.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails near_bound
def release(people):
    poor = people[people.ward == "A1"]
    return {"poor": (poor.wealth * poor.w).sum() / poor.w.sum()}
