# release: means by department as a dictionary
# why: one department is one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return {key: round_mean for key, round_mean in staff.groupby("department").salary.mean().to_dict().items()}
