# release: means labelled with numbers of heads
# why: the labels are counts of one person each.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused P807
# live: review unexamined
def release(people):
    numbers = people[people.role == "head"].groupby("region").size()
    table = people.groupby("region").income.mean().reset_index()
    table["heads"] = numbers.tolist()
    return table[["heads", "income"]].set_index("heads")
