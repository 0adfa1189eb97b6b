# release: sums of squared numbers of children of 80 people, and of 75 of them
# why: the difference is what five people have together.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: fails differencing
def release(people):
    return {"80": (people[people.id <= 80].children ** 2).sum(), "75": (people[people.id <= 75].children ** 2).sum()}
