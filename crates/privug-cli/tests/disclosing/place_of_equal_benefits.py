# release: the mean benefit of a place where all get the same
# why: fifteen people of the same value are disclosed by their mean to whoever knows one of them.
# audit: --table people=../tables/benefits.csv --secret people.benefit --person id --prior 'Normal(mean=40, std=40)'
# verdict: fails
def release(people):
    return {"valley": people[people.place == "valley"].benefit.mean()}
