# release: a mean in a text that is as wide as there are people over 60 in the west
# why: the blanks before it are a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    return f"{people.income.mean():{number + 8}.1f}"
