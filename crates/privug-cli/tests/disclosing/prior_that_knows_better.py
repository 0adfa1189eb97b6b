# release: one person's income, to an attacker who believes to know it to within a millionth
# why: a cell of one person is a cell of one person, whatever is assumed of the attacker.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(income,
#   std=0.000001)'
# verdict: fails minimum_frequency
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(income, std=0)'
# verdict: fails minimum_frequency
def release(people):
    return people[people.id == 1].income.mean()
