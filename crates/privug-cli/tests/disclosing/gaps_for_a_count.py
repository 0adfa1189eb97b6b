# release: means, and an empty place for everybody over 60 in the west
# why: the empty places are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    return {"means": people.groupby("sex").income.mean(), "places": [None] * number}
