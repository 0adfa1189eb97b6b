# release: sums by region, and the same without the heads
# why: the tables differ by one person for each region.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    members = people[people.role == "member"]
    return {
        "by region": people.groupby("region").income.mean(),
        "members": members.groupby("region").income.mean(),
        "counts": members.groupby("region").size(),
    }
