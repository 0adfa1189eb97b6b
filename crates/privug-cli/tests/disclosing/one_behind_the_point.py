# release: a total of whole numbers in which one person counts a millionth more
# why: the digits behind the point are the income of that person.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: fails minimum_frequency
# live: fails minimum_frequency
def release(people):
    w = 1 + 0.000001 * (people.id == 1)
    return {"total": (people.income * w).sum()}
