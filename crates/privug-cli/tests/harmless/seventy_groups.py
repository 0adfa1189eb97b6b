# release: totals of 64 and more groups that are large enough
# why: each has sixteen or more contributors.
# audit: --table people=../tables/towns.csv --secret people.income --prior 'Normal(mean=400, std=80)'
# verdict: passes
def release(people):
    return people.groupby("town").income.mean()
