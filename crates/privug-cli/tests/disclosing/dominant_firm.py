# release: the turnover of a branch in which one firm makes nine tenths of it
# why: every competitor knows the large firm's turnover to within a tenth.
# audit: --table firms=../tables/firms.csv --secret firms.turnover --person firm --prior 'Normal(mean=200, std=500)'
# verdict: fails dominance
def release(firms):
    return {"steel": firms[firms.branch == "steel"].turnover.sum()}
