# release: a weighted mean in which the pilot weighs ten million
# why: It is the pilot's income.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails relative_std
# live: fails
def release(people):
    w = people.age.where(people.job != "pilot", 1e7)
    return (people.income * w).sum() / w.sum()
