# release: how many people earn which income
# why: the labels of the groups are incomes, and most groups are one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return people.groupby("income").size()
