# release: the total turnover by region and sex, of a skewed column with a giant
# why: most people have little turnover anyway: that a total is small tells nothing new.
# audit: --table people=../tables/wealth.csv --person id --secret people.turnover
#   --prior 'Normal(turnover.mean(), std=turnover.std())'
# verdict: passes
def release(people):
    return people[people.ward != "B2"].groupby(["region", "sex"]).turnover.sum()
