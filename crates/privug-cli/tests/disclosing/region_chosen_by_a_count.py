# release: the mean of a region that is chosen by how many people are over 60 in the west
# why: whoever knows the program sees which region it is.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    means = people.groupby("region").income.mean()
    return {"mean": means[["north", "east", "south", "west"][number - 1]]}
