# release: mean costs of each year; some people have no costs in a year, and some in none
# why: about thirty people are behind each mean, and behind each count.
# audit: --table visits=../tables/visits.csv --secret visits.cost --person nr --prior 'Normal(mean=400, std=60)'
# verdict: passes
def release(visits):
    return {"by year": visits.groupby("year").cost.mean(), "rows": visits.groupby("year").cost.count()}
