# release: the means of two groups of 40 that differ by one person each
# why: 40 times the difference is what one of them earns less what the other does: each of the two learns what the other has.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    return {
        "first": people[people.id <= 40].income.mean(),
        "second": people[(people.id > 1) & (people.id <= 41)].income.mean(),
    }
