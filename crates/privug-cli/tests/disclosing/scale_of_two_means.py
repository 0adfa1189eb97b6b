# release: a mean over all and one over all but Ane, in other units
# why: units do not hide that they differ by one person.
# audit: --table people=../tables/people.csv --secret people.income --person name --prior 'Normal(mean=400, std=80)'
# verdict: fails full_disclosure
def release(people):
    others = people[people.name != "Ane"]
    return {"krone": people.income.mean(), "euro": others.income.mean() / 7.46}
