# release: two means whose difference is about six people, and a third that crosses them
# why: the third tells people apart whom the difference puts together; the difference is the same as without it.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    return {"all": people.income.mean(), "most": people[people.id <= 90].income.mean(),
            "crossing": people[(people.id > 60) & (people.id <= 93)].income.mean()}
