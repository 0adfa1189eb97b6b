# release: nothing, because the function has no return statement
# why: whatever the script publishes, it is not what was looked at.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    means = people.groupby("id").income.mean()
