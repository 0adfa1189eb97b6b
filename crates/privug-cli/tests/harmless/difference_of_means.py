# release: by how much the men's mean is above the women's
# why: one difference of two means of 48.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return people[people.sex == "male"].income.mean() - people[people.sex == "female"].income.mean()
