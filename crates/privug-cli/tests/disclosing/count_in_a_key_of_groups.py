# release: means of a table of groups, one under a key that says how many heads there are
# why: the key publishes a count of four people.
# audit: --table people=../tables/people.csv --secret people.income --grouped --prior 'Normal(mean=400, std=50)'
# verdict: review unexamined
def release(people):
    number = len(people[people.role == "head"])
    return {"all": people.income.mean(), f"men ({number} heads)": people[people.sex == "male"].income.mean()}
