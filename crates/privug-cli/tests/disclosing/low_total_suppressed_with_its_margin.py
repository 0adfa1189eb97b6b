# release: the wealth of each ward but a poor one, and of all
# why: the suppressed total follows from the others, and tells that 17 people have next to nothing.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
#   --suppress 'ward[A1]'
# verdict: fails near_bound
def release(people):
    return {"ward": people.groupby("ward").wealth.sum(), "all": people.wealth.sum()}
