# release: mean salaries by department, one of which has a single member
# why: the mean of one person is that person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return staff.groupby("department").salary.mean()
