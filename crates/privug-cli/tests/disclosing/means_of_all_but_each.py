# release: the mean of everybody else, for each person
# why: The mean of all follows, and with it everybody's income.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    total, n = people.income.sum(), len(people)
    return [(total - x) / (n - 1) for x in people.income]
