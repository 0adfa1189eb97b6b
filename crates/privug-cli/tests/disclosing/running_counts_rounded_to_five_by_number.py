# release: how many are ill up to each number from 350 to 400, rounded to 5
# why: Where the rounded count jumps, somebody is ill.
# audit: --table people=../tables/residents.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
#   --round 5
# verdict: fails full_disclosure
# live: fails
def release(people):
    return [people[people.id <= k].ill.sum() for k in range(350, 401)]
