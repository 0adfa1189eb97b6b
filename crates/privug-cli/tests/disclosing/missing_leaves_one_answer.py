# release: the mean mark of each school in spring; in school C one pupil alone has a mark
# why: a mean leaves missing values out, so the mean of school C is the mark of one pupil.
# audit: --table pupils=../tables/marks.csv --secret pupils.spring --person id --prior 'Normal(mean=60, std=20)'
#   --missing drop
# verdict: fails minimum_frequency
def release(pupils):
    return pupils.groupby("school").spring.mean()
