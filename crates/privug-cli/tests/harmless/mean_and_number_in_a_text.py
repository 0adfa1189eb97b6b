# release: the mean and the number of all, in a text
# why: These are all people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    return "mean " + str(round(people.income.mean(), 1)) + " of " + str(len(people))
