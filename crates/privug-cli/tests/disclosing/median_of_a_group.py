# release: the median income by region
# why: a median is the value of a person, or the mean of two.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: refused
def release(people):
    return people.groupby("region").income.median()
