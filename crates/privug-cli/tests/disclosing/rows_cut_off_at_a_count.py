# release: the first of the means by region, as many as there are people over 60 in the west
# why: the number of rows is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    return people.groupby("region").income.mean().head(number)
