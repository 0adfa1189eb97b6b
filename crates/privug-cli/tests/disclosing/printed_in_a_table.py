# release: a harmless mean; one person's value is printed on the way
# why: what is printed is published.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    print(people[people.id == 1].income.sum())
    return people.income.mean()
