# release: a total, and the same total with a weight of one billionth more on one person
# why: the difference is a billionth of that person, and a billion is a known number.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return {"a": people.income.sum(), "b": (people.income * (1 + 1e-9 * (people.id == 1))).sum()}
