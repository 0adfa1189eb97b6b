# release: the wealth of each ward, with noise of 50 on each total
# why: a total of 20, give or take 100, still tells that 17 people have next to nothing.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
#   --noise 'normal(std=50)'
# verdict: fails near_bound
def release(people):
    return people.groupby("ward").wealth.sum()
