# release: a mean, printed with a number of people between label and value
# why: What stands between printed values is printed.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: review
def release(people):
    p = people[people.id != 50]
    print("Mean", p.income.mean(), sep=f" {len(p[p.job == 'judge'])} ")
