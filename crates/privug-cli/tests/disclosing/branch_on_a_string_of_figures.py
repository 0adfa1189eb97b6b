# release: another figure where two figures read as a certain string
# why: whether they do is learned from which figure is published, and decided by everybody's values.
# audit: --table people=../tables/ill.csv --secret people.children --prior 'DiscreteUniform(0, 4)'
# verdict: refused P802


def release(people):
    said = f"{people.children.sum()} {people.children.mean()}"
    return {"mean": people.children.mean()} if said == "40 2.0" else {"sum": people.children.sum()}
