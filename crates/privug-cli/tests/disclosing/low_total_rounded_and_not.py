# release: the wealth of wards to the nearest 100 000, and of a ward where everybody has 1 or 2 as it is
# why: rounding hides nothing of a figure that is published again.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
#   --round 'wards=100_000'
# verdict, live: fails near_bound
def release(people):
    return {"wards": people.groupby("ward").wealth.sum(), "one": people[people.ward == "A1"].wealth.sum()}
