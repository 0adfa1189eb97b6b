# release: the turnover of firms by region, and of one branch
# why: all regions together less the branch is what 12 other firms have, of which two have 99 %: each of the two can tell the
#   other to within 2 %.
# audit: --table firms=../tables/two_large.csv --secret firms.turnover --person firm --prior 'Normal(mean=100, std=150)'
# verdict: fails differencing
def release(firms):
    return {"by region": firms.groupby("region").turnover.sum(), "food": firms[firms.branch == "food"].turnover.sum()}
