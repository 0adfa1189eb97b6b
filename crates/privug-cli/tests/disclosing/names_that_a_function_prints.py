# release: means by sex, and the printed names of the judges
# why: Nobody looked at the names.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: review unexamined
# live: review
def release(people):
    print(people[people.job == "judge"].name)
    return people[~people.job.isin(["pilot", "judge"]) & (people.id != 50)].groupby("sex").income.mean()
