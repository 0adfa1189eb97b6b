# release: the total of a department with and without one person, both rounded to whole kroner
# why: the difference is known to within a krone.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --round 1 --rule minimum_frequency.fail=5
# verdict: fails
def release(staff):
    sales = staff[staff.department == "sales"]
    return {"all": sales.salary.sum(), "others": sales[sales.name != "Dan"].salary.sum()}
