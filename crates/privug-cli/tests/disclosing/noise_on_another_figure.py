# release: a cell of one person without noise, beside a total with noise
# why: noise protects the figure that it is added to, and no other.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --noise 'total=normal(std=100_000)'
# verdict: fails full_disclosure
def release(staff):
    return {"total": staff.salary.sum(), "laboratory": staff[staff.department == "laboratory"].salary.sum()}
