# release: means beside texts that say how many heads there are
# why: the first column looks like labels, and holds counts of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    numbers = people[people.role == "head"].groupby("region").size()
    table = people.groupby("sex").income.mean().reset_index()
    table["sex"] = [f"{number} heads, {place}" for place, number in zip(["a", "b"], numbers)]
    return table
