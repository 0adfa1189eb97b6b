# release: means by region, backwards if more than three people are over 60 in the west
# why: the order tells whether there are so many.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    return people.groupby("region").income.mean().sort_index(ascending=number > 3)
