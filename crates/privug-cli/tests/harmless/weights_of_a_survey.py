# release: weighted means of regions with weights of three decimals, and a weighted total
# why: many people with weights that are all of the same size.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: passes
# live: passes
def release(people):
    weighted = (people.income * people.w).groupby(people.region).sum()
    return {"mean": weighted / people.w.groupby(people.region).sum(), "total": (people.income * people.w).sum()}
