# release: who is ill by sex, rounded at random to threes
# why: whichever multiple is published, it tells little about each of 48 people.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
#   --round 'random(3)'
# verdict: passes
def release(people):
    return people.groupby("sex").ill.sum()
