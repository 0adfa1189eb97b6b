# release: sums by department from a loop over the groups
# why: one department is one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    sums = {}
    for department, group in staff.groupby("department"):
        sums[department] = group.salary.sum() / len(group)
    return sums
