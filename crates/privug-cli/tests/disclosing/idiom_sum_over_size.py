# release: sums by department divided by sizes
# why: one department is one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    groups = staff.groupby("department")
    return groups.salary.sum() / groups.size()
