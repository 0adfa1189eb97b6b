# release: who is ill by ward and sex, ward and age, sex and age
# why: cells of eight people are published.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails minimum_frequency
def release(people):
    pairs = [["ward", "sex"], ["ward", "band"], ["sex", "band"]]
    return {" and ".join(pair): people.groupby(pair).ill.sum() for pair in pairs}
