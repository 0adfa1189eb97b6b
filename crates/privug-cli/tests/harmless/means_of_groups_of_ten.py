# release: means of the occupations with ten people or more
# why: Smaller ones are left out.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    g = people.groupby("job").income
    t = g.agg(["mean", "size"])
    return t[t["size"] >= 10]["mean"]
