# release: how many of the first 1, 2, … 24 people are ill, rounded at random to threes
# why: whichever multiples are published, where they rise tells who is ill.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
#   --round 'random(3)'
# verdict: fails attribute_disclosure
def release(people):
    return {f"first {last}": people[people.id <= last].ill.sum() for last in range(1, 25)}
