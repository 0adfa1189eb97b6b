# release: means over six people, under a policy that allows five
# why: each mean has six contributors of about the same size.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
#   --rule minimum_frequency.fail=5
# verdict: passes
def release(people):
    return people[people.region == "north"].groupby(["sex", "age_group"]).income.mean()
