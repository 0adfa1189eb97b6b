# release: a mean under a key that says how many heads there are in the east
# why: the key publishes a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    number = ((people.role == "head") & (people.region == "east")).sum()
    return {f"mean (with {number} heads in the east)": people.income.mean()}
