# release: whole percents of who is ill in a ward, and in the ward without one person
# why: 24 people have 25 different percents, so that the counts follow.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails full_disclosure
def release(people):
    ward = people[people.ward == "A"]
    others = ward[ward.id != 5]
    return {"all": round(100 * ward.ill.mean()), "others": round(100 * others.ill.mean())}
