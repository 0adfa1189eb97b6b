# release: cases per thousand by ward, and by ward without its head
# why: rates times people are counts, and these differ by the head.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails full_disclosure
def release(people):
    people_in = people.groupby("ward").size()
    members = people[people.role == "member"]
    return {
        "wards": 1000 * people.groupby("ward").ill.sum() / people_in,
        "members": 1000 * members.groupby("ward").ill.sum() / (people_in - 1),
    }
