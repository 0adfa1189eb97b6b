# release: means of two sexes, labelled with how many heads each region has
# why: a label says how many heads the east has, which is a count of few people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    heads = people[people.role == "head"].groupby("region").size()
    means = people.groupby("sex").income.mean()
    means.index = [f"{sex} (n={number})" for sex, number in zip(["female", "male"], heads)]
    return means
