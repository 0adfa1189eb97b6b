# release: the salary of one person with noise that has a standard deviation of nearly nothing
# why: noise of a millionth hides nothing.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --noise 'normal(std=1e-6)'
# verdict: fails
def release(staff):
    return staff[staff.department == "laboratory"].salary.mean()
