# release: the largest value
# why: the largest is somebody's.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return {"largest": people.income.max(), "smallest": people.income.min()}
