# release: the names of the people in the order of their incomes
# why: the order tells who earns more than whom, and all incomes are told to within their neighbours.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return people.sort_values("income").name.tolist()
