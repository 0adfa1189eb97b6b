# release: means by region and by age group
# why: the two divisions cross each other, with at least 12 people in every part of theirs.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return {
        "by region": people.groupby("region").income.mean(),
        "by age": people.groupby("age_group").income.mean(),
    }
