# release: the mean of one group by its name
# why: the group is one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return staff.groupby("department").get_group("laboratory").salary.mean()
