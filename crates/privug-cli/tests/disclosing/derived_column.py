# release: everybody's bonus, a tenth of the income
# why: ten times the bonus is the income.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    bonus = people.assign(bonus=0.1 * people.income + people.age)
    return bonus.groupby("name").bonus.sum()
