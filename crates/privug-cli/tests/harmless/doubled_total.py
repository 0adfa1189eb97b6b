# release: the total of all, and twice the total
# why: the second one follows from the first.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: passes
def release(people):
    return {"total": people.income.sum(), "twice": 2 * people.income.sum()}
