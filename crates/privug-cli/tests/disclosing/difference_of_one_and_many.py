# release: by how much one person is above the mean of the others of the region
# why: 25 contributors, and nine tenths of what is unknown in the figure is one of them.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails relative_std
def release(people):
    north = people[people.region == "north"]
    return north[north.role == "head"].income.sum() - north[north.role == "member"].income.mean()
