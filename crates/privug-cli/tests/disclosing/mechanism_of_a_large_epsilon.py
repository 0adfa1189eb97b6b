# release: the salary of one person by the Gaussian mechanism, with an epsilon of 10,000
# why: the noise is a ten-thousandth of the range of salaries.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --noise 'gaussian(epsilon=10000, delta=1e-5, range=100_000)'
# verdict: fails
def release(staff):
    return staff[staff.department == "laboratory"].salary.mean()
