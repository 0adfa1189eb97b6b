# release: the mean mark of autumn by school; marks of spring are missing, and are not used
# why: 14 pupils each; a gap in another column changes nothing.
# audit: --table pupils=../tables/marks.csv --secret pupils.autumn --person id --prior 'Normal(mean=60, std=20)'
#   --missing drop
# verdict: passes
def release(pupils):
    return pupils.groupby("school").autumn.mean()
