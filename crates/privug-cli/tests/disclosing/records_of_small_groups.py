# release: means by occupation as a list of records
# why: There is one pilot.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return [{"job": j, "mean": g.income.mean()} for j, g in people.groupby("job")]
