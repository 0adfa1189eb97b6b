# release: how many of four people are ill, rounded at random six times
# why: the mean of the six is near the count.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
#   --round 'random(3)'
# verdict: fails attribute_disclosure
def release(people):
    few = people[people.id <= 4]
    return {f"attempt {number}": few.ill.sum() for number in range(6)}
