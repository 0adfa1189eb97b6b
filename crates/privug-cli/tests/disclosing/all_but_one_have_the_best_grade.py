# release: the total of the grades of 18 people, 17 of whom have 5
# why: whoever has less knows that all others have 5, which is the best grade.
# audit: --table people=../tables/wealth.csv --person id --secret people.grade
#   --prior 'Normal(mean=3, std=1.5)' --rule discrete_secret=off
# verdict: fails near_bound
def release(people):
    return {"some": people[(people.ward == "B4") | (people.id == 1)].grade.sum()}
