# release: the wages of everybody by year, and the total over all years of everybody but two
# why: all years together less the total is what the two have earned in eight years.
# audit: --table men=../tables/panel.csv --secret men.wage --person nr --prior 'Normal(mean=400, std=60)'
# verdict: fails differencing
def release(men):
    return {"by year": men.groupby("year").wage.sum(), "most": men[men.nr > 2].wage.sum()}
