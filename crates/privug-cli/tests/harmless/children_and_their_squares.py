# release: the sum of children of all, and of their squares
# why: two numbers about 96 people.
# audit: --table people=../tables/health.csv --secret people.children --person id --prior 'DiscreteUniform(0, 4)'
# verdict: passes
def release(people):
    return {"children": people.children.sum(), "squares": (people.children ** 2).sum()}
