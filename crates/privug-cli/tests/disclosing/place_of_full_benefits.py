# release: the total of benefits in a place where all get the most that there is
# why: the most times the number of people can only be reached if everybody gets the most.
# audit: --table people=../tables/benefits.csv --secret people.benefit --person id --prior 'Normal(mean=40, std=40)'
# verdict: fails
def release(people):
    return {"hills": people[people.place == "hills"].benefit.sum()}
