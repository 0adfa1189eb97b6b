# release: the mean number of days in hospital by ward
# why: 20 people in each ward, whose days differ.
# audit: --table patients=../tables/patients.csv --secret patients.days --person id --prior 'Normal(mean=14, std=8)'
# verdict: passes
def release(patients):
    return patients.groupby("ward").days.mean()
