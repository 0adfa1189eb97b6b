# release: how many people each department has
# why: a cell of 1 says that this person stands alone, and everything else that is published of the cell is theirs.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return staff.groupby("department").size()
