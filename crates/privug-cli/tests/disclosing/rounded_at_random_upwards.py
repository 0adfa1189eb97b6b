# release: whether one person is ill, as a count that is rounded at random to a multiple of 3
# why: 1 is published as 0 in two cases of three, which tells little, and as 3 in one, which only a 1 can become.
# audit: --table people=../tables/ill.csv --secret people.ill --prior 'Bernoulli(0.3)' --round 'random(3)'
# verdict: fails full_disclosure
def release(people):
    return (people[people.id == 1].ill == 1).sum()
