# release: means by sex, and a number that a helper prints
# why: There are two judges.
# audit: :release --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails minimum_frequency
# live: review
def report(g):
    print("n", len(g))
def release(people):
    report(people[people.job == "judge"])
    return people[~people.job.isin(["pilot", "judge"]) & (people.id != 50)].groupby("sex").income.mean()
