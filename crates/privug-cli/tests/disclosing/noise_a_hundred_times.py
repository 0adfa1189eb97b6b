# release: a pilot's income a hundred times, each with noise of its own
# why: The mean of a hundred noises is small.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)' --noise 'normal(std=40)'
# verdict: fails relative_std
# live: fails
def release(people):
    p = people[people.job == "pilot"].income
    return [p.sum() for _ in range(100)]
