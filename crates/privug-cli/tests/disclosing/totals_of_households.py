# release: total incomes of households of two
# why: Each of two partners knows the other's income.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: fails
def release(people):
    return people.groupby("household").income.sum()
