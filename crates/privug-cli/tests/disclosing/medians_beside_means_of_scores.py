# release: medians and means of scores by ward
# why: what they tell together is not worked out.
# audit: --table people=../tables/health.csv --secret people.score --person id --prior 'DiscreteUniform(0, 10)'
# verdict: review unknown
def release(people):
    return {"medians": people.groupby("ward").score.median(), "means": people.groupby("ward").score.mean()}
