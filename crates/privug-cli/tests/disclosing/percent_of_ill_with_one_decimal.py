# release: the percentage of ill people of the first 50 and of the first 47, with one decimal
# why: 50 and 47 times the shares are whole numbers of people, which one decimal tells exactly: how many of three are
#   ill.
# audit: --table people=../tables/clients.csv --secret people.ill --person id --prior 'Bernoulli(0.3)'
# verdict: fails differencing
def release(people):
    return {
        "first 50": round(100 * people[people.id <= 50].ill.mean(), 1),
        "first 47": round(100 * people[people.id <= 47].ill.mean(), 1),
    }
