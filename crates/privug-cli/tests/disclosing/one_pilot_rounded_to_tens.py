# release: mean incomes by occupation, rounded to tens
# why: There is one pilot, and a rounded income is an income.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return people.groupby("job").income.mean().round(-1)
