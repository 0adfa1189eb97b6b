# release: how many points a ward of 17 is short of 1700
# why: four points are missing together, so that nobody is short of more.
# audit: --table people=../tables/wealth.csv --person id --secret people.score
#   --prior 'Normal(mean=50, std=25)'
# verdict: fails near_bound
def release(people):
    return {"missing": 1700 - people[people.ward == "B3"].score.sum()}
