# release: how many of all people are sick, with a Gaussian prior
# why: nothing is disclosed, but the prior believes in what is impossible: it must not be taken for a strict audit.
# audit: --table people=../tables/wealth.csv --person id --secret people.sick
#   --prior 'Normal(mean=0.3, std=0.45)' --strict
# verdict: refused P727
def release(people):
    return {"sick": people.sick.sum()}
