# release: means and numbers of people by age band as records
# why: All bands have many people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    return people.groupby("band").agg(n=("income", "size"), mean=("income", "mean")).reset_index().to_dict("records")
