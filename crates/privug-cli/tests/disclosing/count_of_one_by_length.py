# release: how many people of each department earn a salary at all, by the length of a table
# why: a length is a count, and this one is 1.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return {"laboratory": len(staff[staff.department == "laboratory"])}
