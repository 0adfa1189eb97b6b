# release: totals by occupation without the pilots' cell, and means by town
# why: All occupations together are all towns together.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)' --suppress 't[pilot]'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return {"t": people.groupby("job").income.sum(), "by town": people.groupby("town").income.mean()}
