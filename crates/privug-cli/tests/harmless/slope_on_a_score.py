# release: the slope of income on a public score
# why: its weights are scores less their mean: rounding leaves no digits that tell anything.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: passes
def release(people):
    k = people.score - people.score.mean()
    return (k * people.income).sum() / (k * k).sum()
