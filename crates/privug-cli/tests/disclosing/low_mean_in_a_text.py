# release: a sentence with the mean wealth of a ward where everybody has 1 or 2
# why: 1.18 for 17 people of whom nobody has less than 1 leaves nobody more than a few.
# audit: --table people=../tables/wealth.csv --person id --secret people.wealth --prior 'Normal(wealth.mean(), std=wealth.std())'
# verdict: fails near_bound
def release(people):
    return f"mean wealth: {people[people.ward == 'A1'].wealth.mean():.2f}"
