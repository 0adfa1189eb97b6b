# release: the total of a bonus that is a tenth of the income
# why: a multiple of a total of 24 people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    people["bonus"] = 0.1 * people.income
    return people.groupby("region").bonus.sum()
