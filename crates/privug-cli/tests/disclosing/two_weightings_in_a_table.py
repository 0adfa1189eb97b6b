# release: two weighted means over the same people, with weights that differ for one of them
# why: the weighted sums differ by a known multiple of that person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=50)'
# verdict: fails full_disclosure
def release(people):
    return {
        "hours": (people.hours * people.income).sum(),
        "hours of all but one": ((people.hours - (people.id == 5)) * people.income).sum(),
    }
