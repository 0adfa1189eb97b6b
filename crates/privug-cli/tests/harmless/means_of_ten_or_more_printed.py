# release: means of the occupations with ten people or more, printed
# why: Smaller ones are left out.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    for job, g in people.groupby("job"):
        if len(g) >= 10:
            print(job, round(g.income.mean()))
