# release: a table of sums with margins, whose margin of one column is one person
# why: a margin over one filled cell is that cell.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    small = staff[staff.department.isin(["laboratory", "sales"])]
    return small.pivot_table(values="salary", index="department", columns="role", aggfunc="sum", margins=True)
