# release: means by sex, and a printed number of judges
# why: There are two judges. What a function prints is published too.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: review
def release(people):
    print(len(people[people.job == "judge"]))
    return people[~people.job.isin(["pilot", "judge"]) & (people.id != 50)].groupby("sex").income.mean()
