# release: the mean of a department of one person, which is not published after all
# why: nothing is published.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --suppress laboratory
# verdict: passes
def release(staff):
    return {"laboratory": staff[staff.department == "laboratory"].salary.mean(), "all": staff.salary.mean()}
