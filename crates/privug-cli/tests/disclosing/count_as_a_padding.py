# release: a mean that is padded to a width that shows a count
# why: the width is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# live: review unexamined
def release(people):
    number = len(people[(people.age > 60) & (people.region == "west")])
    return f"{people.income.mean():.1f}".rjust(number + 8)
