# release: mean salaries by department, without the two small departments
# why: nothing else that is published contains the two.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --suppress 'means[laboratory]' --suppress 'means[archive]'
# verdict: passes
def release(staff):
    return {"means": staff.groupby("department").salary.mean()}
