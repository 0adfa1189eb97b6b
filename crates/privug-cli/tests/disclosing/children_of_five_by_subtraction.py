# release: the number of children of the first 50 people, and of the first 45
# why: the difference is how many children five people have together.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: fails differencing
def release(people):
    return {"first 50": people[people.id <= 50].children.sum(), "first 45": people[people.id <= 45].children.sum()}
