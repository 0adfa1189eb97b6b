# release: means of regions that are large enough, and nothing about others
# why: labels of groups are public; which are left out is decided by their size, which nobody sees.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: passes
def release(people):
    sizes = people.groupby("region").size()
    means = people.groupby("region").income.mean()
    return means[sizes >= 10]
