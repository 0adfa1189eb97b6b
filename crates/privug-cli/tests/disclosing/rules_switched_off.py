# release: one person's income, under a policy whose rules are all off
# why: nothing looked at it, and what nobody looked at does not pass.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
#   --rule minimum_frequency=off --rule dominance=off --rule p_percent=off --rule full_disclosure=off --rule
#   relative_std=off --rule near_truth=off
# verdict: review
def release(people):
    return people[people.id == 1].income.mean()
