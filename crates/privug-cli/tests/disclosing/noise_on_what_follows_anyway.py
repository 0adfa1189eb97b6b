# release: a total of five with much noise, beside the totals of all and of all but five without any
# why: the two exact totals leave the total of the five as it is.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)' --noise 'rest=normal(std=1e5)'
# verdict: fails differencing
def release(people):
    return {"all": people.income.sum(), "most": people[people.id > 5].income.sum(),
            "rest": people[people.id <= 5].income.sum()}
