# release: the wealth of each ward, in one of which everybody has 1 or 2
# why: nobody has less than 1, so a total of 20 for 17 people tells that all have next to nothing, in a column of
#   thousands; a Gaussian prior reaches below 0, where the others could be.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails near_bound
def release(people):
    return people.groupby("ward").wealth.sum()
