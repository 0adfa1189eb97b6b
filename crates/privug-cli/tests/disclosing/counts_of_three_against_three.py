# release: how many of the first 40 people are ill, and of the 40 from the fourth on
# why: the difference tells how many more of three people are ill than of three others.
# audit: --table people=../tables/ill.csv --secret people.ill --prior 'Bernoulli(0.3)'
# verdict: fails differencing
def release(people):
    return {
        "first": (people[people.id <= 40].ill == 1).sum(),
        "second": (people[(people.id > 3) & (people.id <= 43)].ill == 1).sum(),
    }
