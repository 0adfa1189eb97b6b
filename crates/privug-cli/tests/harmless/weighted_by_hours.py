# release: the mean income weighted by hours
# why: 96 contributors with weights between 20 and 37.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return (people.hours * people.income).sum() / people.hours.sum()
