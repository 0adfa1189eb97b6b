# release: the total of everybody
# why: 96 contributors.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
#   --exact
# verdict: passes
def release(people):
    return people.income.sum()
