# release: the turnover of a branch of twelve firms of about the same size
# why: the two largest have less than a quarter of it.
# audit: --table firms=../tables/firms.csv --secret firms.turnover --person firm --prior 'Normal(mean=100, std=40)'
# verdict: passes
def release(firms):
    return firms[firms.branch == "bakery"].turnover.sum()
