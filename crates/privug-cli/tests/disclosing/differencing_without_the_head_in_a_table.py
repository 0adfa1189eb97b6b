# release: the mean of a department, with and without its head
# why: n times the first less n-1 times the second is what the head earns.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --rule minimum_frequency.fail=5
# verdict: fails full_disclosure
def release(staff):
    sales = staff[staff.department == "sales"]
    return {"sales": sales.salary.mean(), "without its head": sales[sales.role != "head"].salary.mean()}
