# release: the totals of the first 200 rows, of those from 202 on, and of all
# why: Row 201 is what is left.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    a = people.iloc[:200].income.sum()
    b = people.iloc[201:].income.sum()
    return [a, b, people.income.sum()]
