# release: a total in a text, with the total of five people as its decimals
# why: the decimals are a total of five.
# audit: --table people=../tables/wealth.csv --secret people.income --person id --prior 'Normal(income.mean(), std=income.std())'
# verdict: fails minimum_frequency
def release(people):
    five = people[people.id <= 5].income.sum()
    return f"{people.income.sum() + five / 10000:.4f}"
