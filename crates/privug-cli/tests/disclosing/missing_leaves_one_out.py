# release: the total of a class over all, and over those who were there in spring too
# why: one pupil of school B was not; the totals of autumn differ by that pupil.
# audit: --table pupils=../tables/marks.csv --secret pupils.autumn --person id --prior 'Normal(mean=60, std=20)'
#   --missing drop
# verdict: fails
def release(pupils):
    school = pupils[pupils.school == "B"]
    return {"all": school.autumn.sum(), "present": school[school.id != 18].autumn.sum()}
