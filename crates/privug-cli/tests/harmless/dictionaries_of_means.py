# release: means by age band as a list of dictionaries
# why: All bands have many people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    return [{"band": b, "mean": g.income.mean()} for b, g in people.groupby("band")]
