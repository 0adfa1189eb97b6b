# release: mean incomes of four regions of 24 people
# why: each figure has 24 contributors of about the same size.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return people.groupby("region").income.mean()
