# release: the sum of powers of two of the smiths who are ill
# why: Its binary digits are who is ill.
# audit: --table people=../tables/residents.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
# verdict: review unknown
# live: review
def release(people):
    p = people[people.job == "smith"].reset_index(drop=True)
    return (p.ill * 2 ** p.index).sum()
