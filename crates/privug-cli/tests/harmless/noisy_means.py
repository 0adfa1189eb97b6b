# release: means of four regions with noise
# why: they would be harmless without noise.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
#   --noise 'normal(std=5)'
# verdict: passes
def release(people):
    return people.groupby("region").income.mean()
