# release: the standard deviation of a department
# why: with the mean of two people it tells both; it is not linear, so it is not understood, and does not pass.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: refused
def release(staff):
    archive = staff[staff.department == "archive"]
    return {"mean": archive.salary.mean(), "spread": archive.salary.std()}
