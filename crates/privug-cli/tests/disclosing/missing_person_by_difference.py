# release: totals of all, and of those without the one person of clinic C who has costs
# why: the totals differ by that person.
# audit: --table visits=../tables/visits.csv --secret visits.cost --person nr --prior 'Normal(mean=400, std=60)'
# verdict: fails full_disclosure
def release(visits):
    return {"all": visits.cost.sum(), "a and b": visits[visits.clinic != "C"].cost.sum()}
