# release: the benefits of a town, where nobody gets any, beside those of all towns
# why: nobody can get less than 0, so a total of 0 tells that each of the 56 people gets nothing.
# audit: --table people=../tables/nothing.csv --secret people.benefit --prior 'Normal(mean=1000, std=2000)'
#   --support 'benefit >= 0' --rule same_value=off --rule p_percent=off --rule dominance=off --rule near_truth=off
#   --rule relative_std=off
# verdict: fails interval_percent
def release(people):
    return people.groupby("town").benefit.sum()
