# release: children of all, and of all but a ward of 24
# why: the difference is about 24 people.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: passes
def release(people):
    return {"all": people.children.sum(), "others": people[people.ward != "A"].children.sum()}
