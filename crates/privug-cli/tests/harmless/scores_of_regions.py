# release: the mean score of regions and sexes
# why: 17 of 51 people with the largest scores do not show among others.
# audit: --table people=../tables/wealth.csv --person id --secret people.score
#   --prior 'Normal(mean=50, std=25)' --support '0 <= score <= 100'
# verdict: passes
def release(people):
    return people.groupby(["region", "sex"]).score.mean()
