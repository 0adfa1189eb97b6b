# release: the number of children of 40 people, and of 40 of whom all but three are the same
# why: the difference is how many more children three people have than three others.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: fails differencing
def release(people):
    return {"a": people[people.id <= 40].children.sum(), "b": people[(people.id > 3) & (people.id <= 43)].children.sum()}
