# release: totals by 100 groups and by 100 other groups, of which each two overlap, with one giant
# why: a group less one that it meets is nearly the giant's alone.
# audit: --table people=../tables/grid.csv --secret people.turnover --person firm --prior 'Normal(mean=100, std=300)'
# verdict: fails differencing
def release(people):
    return {"rows": people.groupby("row").turnover.sum(), "columns": people.groupby("column").turnover.sum()}
