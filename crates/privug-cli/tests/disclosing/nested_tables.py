# release: sums by region, and by region and role; in each region one person is the head
# why: the cell of the heads is one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
def release(people):
    return {
        "by region": people.groupby("region").income.sum(),
        "by region and role": people.groupby(["region", "role"]).income.sum(),
    }
