# release: mean costs of each clinic and year, where only one person of clinic C has any
# why: the means of clinic C are the costs of that person.
# audit: --table visits=../tables/visits.csv --secret visits.cost --person nr --prior 'Normal(mean=400, std=60)'
# verdict: fails full_disclosure
def release(visits):
    return visits.groupby(["clinic", "year"]).cost.mean()
