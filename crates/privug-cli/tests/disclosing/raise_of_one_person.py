# release: this year's and last year's total of two different sets of people
# why: both years are secret, and the difference of one person follows: neither year does, but how they differ.
# audit: --table people=../tables/people.csv --secret people.income --secret people.income_last_year --person name
#   --prior 'income=Normal(mean=400, std=50)' --prior 'income_last_year=Normal(mean=395, std=50)'
# verdict: fails differencing
def release(people):
    raises = people.income - people.income_last_year
    return {"all": raises.sum(), "others": raises[people.id != 9].sum()}
