# release: the totals of all and of all but five with a little noise; that of the five is suppressed
# why: the difference of the two is the total of the five to within a few hundredths.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)' --noise 'normal(std=0.01)' --suppress rest
# verdict: fails differencing
def release(people):
    return {"all": people.income.sum(), "most": people[people.id > 5].income.sum(),
            "rest": people[people.id <= 5].income.sum()}
