# release: mean incomes by town
# why: One person has nearly all the income of their town, so the mean tells it.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails dominance
# live: fails
def release(people):
    return people.groupby("town").income.mean()
