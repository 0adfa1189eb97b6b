# release: how many people of each sex live in each region
# why: no cell is below 12.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return people.groupby(["region", "sex"]).size()
