# release: the total of everybody, to an attacker who is sure that all have the mean
# why: the attacker is wrong about everybody and cannot learn anything, which looks as if nobody lost anything.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(income.mean(), 0)'
# verdict: refused row 1 is 477, which the prior considers impossible
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Uniform(390, 410)'
# verdict: refused row 1 is 477, which the prior considers impossible
def release(people):
    return {"total": people.income.sum()}
