# release: the mean wealth of regions, one of which has a poor ward
# why: 17 of 68 people have next to nothing, which does not show in the mean.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: passes
def release(people):
    return people.groupby("region").wealth.mean()
