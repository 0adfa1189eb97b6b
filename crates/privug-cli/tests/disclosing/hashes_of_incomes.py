# release: a hash of every income
# why: There are few incomes: whoever hashes all of them finds each.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: refused P114
# live: refused P309
import hashlib
def release(people):
    return [hashlib.sha256(str(x).encode()).hexdigest() for x in people.income]
