# release: by groups, the mean score of each ward, in one of which everybody has 99 or 100
# why: 100 is the largest score, so a mean of 99.8 for 17 people leaves nobody more than a few points below it.
# audit: --table people=../tables/wealth.csv --secret people.score --prior 'Normal(mean=50, std=25)' --grouped
# verdict: fails near_bound
def release(people):
    return people.groupby("ward").score.mean()
