# release: means by region, in the order of how many people are over 50 there
# why: the order tells in which region there are fewer.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    sizes = people[people.age > 50].groupby("region").size().sort_values()
    return people.groupby("region").income.mean()[sizes.index]
