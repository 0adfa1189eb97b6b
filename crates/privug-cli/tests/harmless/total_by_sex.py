# release: the total income of women and of men
# why: 48 contributors each, and nobody is in both.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: passes
def release(people):
    return {"women": people[people.sex == "female"].income.sum(), "men": people.loc[people.sex == "male", "income"].sum()}
