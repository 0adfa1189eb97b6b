# release: how many are ill, with and without one person
# why: The difference is whether they are ill.
# audit: --table people=../tables/residents.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return {"all": people.ill.sum(), "not p077": people[people.name != "p077"].ill.sum()}
