# release: the turnover of a branch in which two firms make nearly all of it
# why: either of the two subtracts its own turnover and knows the other's to within ten percent.
# audit: --table firms=../tables/firms.csv --secret firms.turnover --person firm --prior 'Normal(mean=200, std=500)'
# verdict: fails p_percent
def release(firms):
    return {"by branch": firms[firms.branch != "steel"].groupby("branch").turnover.sum()}
