# release: two means in texts, with and without one person
# why: rounding to a tenth is taken as if there were none.
# audit: --table people=../tables/money.csv --secret people.income --person id --prior 'Normal(mean=450, std=200)'
# verdict: fails full_disclosure
def release(people):
    ward = people[people.ward == "A"]
    others = ward[ward.id != 5]
    return [f"{ward.income.mean():.1f}", f"{others.income.mean():.1f}"]
