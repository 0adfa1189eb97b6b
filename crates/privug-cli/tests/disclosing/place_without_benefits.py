# release: the mean benefit of a place where nobody gets one
# why: benefits are not negative, so a mean of 0 says that each of them is 0.
# audit: --table people=../tables/benefits.csv --secret people.benefit --person id --prior 'Normal(mean=40, std=40)'
# verdict: fails
def release(people):
    return {"harbour": people[people.place == "harbour"].benefit.mean()}
