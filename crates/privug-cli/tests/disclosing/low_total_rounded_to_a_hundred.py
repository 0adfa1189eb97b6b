# release: the wealth of each ward to the nearest 100; in one of them everybody has 1 or 2
# why: that total is published as 0, so that it is below 50, and nobody of the ward has more, in a column of thousands.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
#   --round 100
# verdict, live: fails near_bound
def release(people):
    return people.groupby("ward").wealth.sum()
