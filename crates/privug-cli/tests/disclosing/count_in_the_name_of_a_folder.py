# release: means by sex in a folder that is called as many judges there are
# why: The name shows a count of two.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: review unexamined
# live: review
def release(people):
    p = people[people.id != 50]
    n = len(p[p.job == "judge"])
    p.groupby("sex").income.mean().to_csv(f"out/{n}/means.csv")
