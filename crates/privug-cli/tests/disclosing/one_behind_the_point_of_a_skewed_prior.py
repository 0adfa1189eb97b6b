# release: a total of whole numbers in which one person counts a millionth more, with a skewed prior
# why: the digits behind the point are the income of that person.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'LogNormal(mean=550, std=200)'
# verdict: fails minimum_frequency
def release(people):
    w = 1 + 0.000001 * (people.id == 1)
    return {"total": (people.income * w).sum()}
