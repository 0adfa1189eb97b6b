# release: one of the means by department
# why: it is that of one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    means = staff.groupby("department").salary.mean()
    return {"laboratory": means["laboratory"]}
