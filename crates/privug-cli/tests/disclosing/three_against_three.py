# release: the total of the first 30 people, and of the 30 from the fourth on
# why: the difference is what the first three have less what three others have: an amount about six people, which nobody
#   would publish by itself. Whoever knows five of them knows the sixth.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails differencing
def release(people):
    return {
        "first": people[people.id <= 30].income.sum(),
        "second": people[(people.id > 3) & (people.id <= 33)].income.sum(),
    }
