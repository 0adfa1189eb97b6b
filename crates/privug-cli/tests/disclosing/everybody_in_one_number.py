# release: a weighted count with powers of two
# why: every digit of it in base two is a person.
# audit: --table people=../tables/health.csv --secret people.ill --person id --prior 'Bernoulli(0.4)'
# verdict: fails minimum_frequency unknown
def release(people):
    ward = people[people.ward == "A"]
    return (ward.ill * 2 ** (ward.id - 1)).sum()
