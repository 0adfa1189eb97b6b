# release: the mean of a department of ten
# why: a minimum of ten allows ten.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: passes
def release(staff):
    return staff[staff.department == "research"].salary.mean()
