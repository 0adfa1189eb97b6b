# release: the mean turnover of firms by region, of which none is large
# why: each of the thirty firms of a region could have nothing, or several times what it has.
# audit: --table firms=../tables/many_firms.csv --secret firms.turnover --prior 'Normal(mean=100, std=20)'
#   --support 'turnover >= 0' --strict
# verdict: passes
def release(firms):
    return firms.groupby("region").turnover.mean()
