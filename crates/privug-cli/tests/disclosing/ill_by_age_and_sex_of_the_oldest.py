# release: how many are ill by single year of age and sex, from 78 on
# why: Most of these groups are one or two people.
# audit: --table people=../tables/residents.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
# verdict: fails full_disclosure
# live: fails
def release(people):
    return people[people.age >= 78].groupby(["age", "sex"]).ill.agg(["sum", "count"])
