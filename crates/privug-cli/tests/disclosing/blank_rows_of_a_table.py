# release: means by region, and empty rows for a count
# why: the empty rows are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    means = people.groupby("region").income.mean()
    return means.reindex(list(means.index) + ["a", "b", "c", "d"][:number])
