# release: a hundred times one count and another one
# why: the hundreds and the rest are two counts of three people.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails minimum_frequency
def release(people):
    first, second = people[people.id <= 3], people[(people.id > 3) & (people.id <= 6)]
    return 100 * first.ill.sum() + second.ill.sum()
