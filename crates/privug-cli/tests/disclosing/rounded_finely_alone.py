# release: one person's salary, rounded to a thousandth
# why: rounding to a unit far below what matters hides nothing.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --round 0.001
# verdict: fails minimum_frequency
def release(staff):
    return staff[staff.department == "laboratory"].salary.mean()
