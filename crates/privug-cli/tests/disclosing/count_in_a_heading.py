# release: means under a heading that says how many heads there are in the east
# why: the heading publishes a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    number = len(people[(people.role == "head") & (people.region == "east")])
    table = people.groupby("sex")[["income"]].mean()
    table.columns = [f"income, {number} heads in the east"]
    return table
