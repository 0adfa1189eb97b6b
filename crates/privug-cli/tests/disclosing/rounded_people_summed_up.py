# release: a sum of rounded incomes
# why: it is no function of the sum of incomes, so it is not judged as if it were that.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused rounded
def release(people):
    return {"sum": people.income.round(-2).sum()}
