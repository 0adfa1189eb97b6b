# release: mean incomes by region and sex, with margins
# why: the cells have 12 contributors, and the margins follow from the cells.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: passes
def release(people):
    return people.pivot_table(values="income", index="region", columns="sex", aggfunc="mean", margins=True)
