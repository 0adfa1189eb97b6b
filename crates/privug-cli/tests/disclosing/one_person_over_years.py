# release: one man's mean wage of every year
# why: years are not people.
# audit: --table men=../tables/panel.csv --secret men.wage --person nr --prior 'Normal(mean=400, std=60)'
# verdict: fails
def release(men):
    return men[men.nr == 13].wage.mean()
