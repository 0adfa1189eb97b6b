# release: the mean of the north, in two tables
# why: the second time it says nothing new.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return {
        "north": people[people.region == "north"].income.mean(),
        "by region": people.groupby("region").income.mean(),
    }
