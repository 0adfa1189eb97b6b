# release: names and ages as they are in the register
# why: no rule looks at a list of people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review
def release(people):
    return {"mean": people.income.mean(), "names": people.name, "ages": people.age}
