# release: the mean of the first 63 and of the first 64 people of the register
# why: means times public counts are totals, and the two totals differ by person 64.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return {
        "up to 63": people[people.id <= 63].income.mean(),
        "up to 64": people[people.id <= 64].income.mean(),
    }
