# release: this year's mean of a region, and one person's income of last year
# why: last year's income is as secret as this year's, and both are given as secrets.
# audit: --table people=../tables/people.csv --secret people.income --secret people.income_last_year --person name
#   --prior 'income=Normal(mean=400, std=50)' --prior 'income_last_year=Normal(mean=395, std=50)'
# verdict: fails
def release(people):
    return {"mean": people.income.mean(), "last year": people[people.id == 1].income_last_year.sum()}
