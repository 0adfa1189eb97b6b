# release: a mean over people that three conditions leave
# why: they leave one person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    men = staff[staff.sex == "male"]
    few = men[~men.department.isin(["sales", "research", "production"]) & (men.name != "Finn B")]
    return few.salary.mean()
