# release: how often each department occurs
# why: value counts are counts, and one of them is 1.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)'
# verdict: fails minimum_frequency
def release(staff):
    return staff.department.value_counts()
