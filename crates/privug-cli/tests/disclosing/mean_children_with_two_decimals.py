# release: mean number of children of the first 40 and of the first 39, to two decimals
# why: 40 and 39 times the means are whole numbers that two decimals tell: the children of one person.
# audit: --table people=../tables/clients.csv --secret people.children --person id --prior 'Categorical([0.2, 0.2, 0.2, 0.2, 0.2])'
# verdict: fails differencing
def release(people):
    return {"a": round(people[people.id <= 40].children.mean(), 2), "b": round(people[people.id <= 39].children.mean(), 2)}
