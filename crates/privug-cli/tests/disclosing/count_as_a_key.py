# release: a mean whose key is the number of heads
# why: the key is a count of four people.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict, live: review unexamined
def release(people):
    return {len(people[people.role == "head"]): people.income.mean()}
