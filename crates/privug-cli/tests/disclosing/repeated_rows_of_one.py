# release: the mean wage by occupation over eight years; one occupation is one man
# why: the eight rows are the same man; eight is not eight people.
# audit: --table men=../tables/panel.csv --secret men.wage --person nr --prior 'Normal(mean=400, std=60)' --rule
#   minimum_frequency.fail=5
# verdict: fails minimum_frequency
def release(men):
    return men.groupby("job").wage.mean()
