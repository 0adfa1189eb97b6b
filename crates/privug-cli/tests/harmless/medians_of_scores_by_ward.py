# release: medians of scores by ward
# why: the middle of 24 people tells little about each.
# audit: --table people=../tables/health.csv --secret people.score --person id --prior 'DiscreteUniform(0, 10)'
# verdict: passes
def release(people):
    return people.groupby("ward").score.median()
