# release: the mean salary of a department of two
# why: each of the two knows the other's.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return {"archive": staff[staff.department == "archive"].salary.mean()}
