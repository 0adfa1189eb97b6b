# release: the total of incomes over the total of hours, by region
# why: 24 people in each region; hours are public.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    groups = people.groupby("region")
    return groups.income.sum() / groups.hours.sum()
