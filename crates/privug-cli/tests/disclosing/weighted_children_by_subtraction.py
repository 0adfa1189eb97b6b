# release: weighted numbers of children of 80 people, and of 75 of them
# why: the difference is what five people have together, with their weights.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: fails differencing
def release(people):
    weighted = people.children * people.w
    return {"80": weighted[people.id <= 80].sum(), "75": weighted[people.id <= 75].sum()}
