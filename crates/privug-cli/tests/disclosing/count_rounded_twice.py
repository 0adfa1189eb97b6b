# release: a count rounded to fives and to threes, and without one person
# why: both roundings are taken as if there were none, and the counts differ by one person.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails full_disclosure
def release(people):
    ward = people[people.ward == "A"]
    others = ward[ward.id != 5]
    return {
        "fives": round(ward.ill.sum() / 5) * 5,
        "threes": round(ward.ill.sum() / 3) * 3,
        "others": round(others.ill.sum() / 5) * 5,
    }
