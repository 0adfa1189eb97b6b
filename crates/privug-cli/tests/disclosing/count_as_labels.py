# release: means labelled with numbers of people
# why: the labels are counts, two of them of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    numbers = people[people.role == "head"].groupby("region").size()
    table = people.groupby("region").income.mean().reset_index()
    table["heads"] = numbers.tolist()
    return table[["heads", "income"]].set_index("heads")
