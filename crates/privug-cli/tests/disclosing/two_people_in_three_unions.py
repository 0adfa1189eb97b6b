# release: totals of three pairs of towns, one with two people of a fourth, and the mean of all three
# why: What is too much is the total of the two.
# audit: --table people=../tables/residents.csv --secret people.income --person id --prior 'Normal(mean=450,
#   std=90)'
# verdict: fails dominance
# live: fails
def release(people):
    small = people[people.town == "Eid"].id.isin([390, 391])
    a = people[people.town.isin(["Aas", "Bo"])].income.sum()
    b = people[people.town.isin(["Bo", "Dal"])].income.sum()
    c = people[people.town.isin(["Aas", "Dal"]) | people.id.isin([390, 391])].income.sum()
    return a, b, c, people[people.town != "Eid"].income.mean()
