# release: how many marks each school gave in spring
# why: a count of 1 says whose mark the school's mean is.
# audit: --table pupils=../tables/marks.csv --secret pupils.spring --person id --prior 'Normal(mean=60, std=20)'
#   --missing drop
# verdict: fails minimum_frequency
def release(pupils):
    return pupils.groupby("school").spring.count()
