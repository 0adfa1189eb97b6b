# release: the mean of each of 48 pairs
# why: each of the two knows the other.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails minimum_frequency
def release(people):
    return people.groupby((people.id - 1) // 2).income.mean()
