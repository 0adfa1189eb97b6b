# release: totals by 100 groups and by 100 other groups, of which each two overlap
# why: no group less one that it meets is dominated by anybody.
# audit: --table people=../tables/grid.csv --secret people.sales --person firm --prior 'Normal(mean=100, std=30)'
# verdict: passes
def release(people):
    return {"rows": people.groupby("row").sales.sum(), "columns": people.groupby("column").sales.sum()}
