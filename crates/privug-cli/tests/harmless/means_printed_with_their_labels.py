# release: means by age band, each printed behind its label
# why: All bands have many people.
# audit: --table people=../tables/residents_without_extremes.csv --secret people.income --person id --prior
#   'Normal(mean=450, std=90)'
# verdict: passes
# live: passes
def release(people):
    for band, g in people.groupby("band"):
        print(band, g.income.mean())
