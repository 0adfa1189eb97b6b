# release: means by sex, and a file with the numbers by occupation
# why: There is one pilot. What a function writes is published too.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: fails
def release(people):
    people.groupby("job").size().to_csv("n.csv")
    return people[~people.job.isin(["pilot", "judge"]) & (people.id != 50)].groupby("sex").income.mean()
