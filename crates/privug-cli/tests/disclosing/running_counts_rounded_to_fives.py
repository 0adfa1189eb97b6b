# release: how many of the first 1, 2, … 24 people are ill, rounded to fives
# why: where the rounded count changes is known, and so is how many are ill up to there.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)' --round 5
# verdict: fails attribute_disclosure
def release(people):
    return {f"first {last}": people[people.id <= last].ill.sum() for last in range(1, 25)}
