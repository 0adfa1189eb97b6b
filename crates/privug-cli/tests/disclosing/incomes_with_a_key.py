# release: every income multiplied and shifted by a fixed key
# why: Whoever has two incomes has the key.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    key = 7919
    return [x * 31 + key for x in people.income]
