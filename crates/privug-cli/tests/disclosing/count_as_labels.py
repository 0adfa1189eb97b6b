# release: means labelled with numbers of people
# why: the labels are counts, all of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    numbers = people[people.age < 30].groupby("region").size()
    table = people.groupby("region").income.mean().reset_index()
    table["young"] = numbers.tolist()
    return table[["young", "income"]].set_index("young")
