# release: how many of 90 people, and of 84 of them, have a score of at least 8
# why: the difference is how many of six people have.
# audit: --table people=../tables/health.csv --secret people.score --person id --prior 'DiscreteUniform(0, 10)'
# verdict: fails differencing
def release(people):
    return {"90": (people[people.id <= 90].score >= 8).sum(), "84": (people[people.id <= 84].score >= 8).sum()}
